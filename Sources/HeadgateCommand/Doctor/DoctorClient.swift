import CHeadgate
import HTTPTypes
import HeadgateDiagnosis
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgateRelay
import HeadgateUpstream

/// Sends requests like an app, and records observations. Must be used on its loop.
struct DoctorClient {
    enum Credential {
        case own
        /// An invalid key.
        case wrong
        case none
    }

    let base: BaseURL
    let key: String?
    let quick: UpstreamTransport
    let patient: UpstreamTransport

    /// Sends a request and collects the whole response.
    ///
    /// - Parameter body: Body of a POST; nil for a GET.
    func ask(
        _ path: String, body: [UInt8]? = nil, as credential: Credential = .own
    ) async -> Result<WholeObservation, ExchangeFailure> {
        let request = request(path, as: credential, isPost: body != nil, acceptsGzip: false)
        let transport = body == nil ? quick : patient
        let start = headgate_monotonic_nanoseconds()
        do {
            let answer = try await transport.send(
                UpstreamRequest(OutgoingHead(request), body: body, operationID: "doctor"), to: base)
            let bytes = try await answer.body?.collect(upTo: 4 << 20) ?? []
            return .success(
                WholeObservation(
                    status: answer.head.status, fields: ResponseFields(answer.head), body: bytes,
                    endAt: headgate_monotonic_nanoseconds() - start))
        } catch {
            return .failure(ExchangeFailure(error))
        }
    }

    /// Sends a request and records every read of its response.
    func stream(
        _ probe: ProbeRequest, until limit: StreamRecorder.Limit = .end
    ) async -> Result<StreamObservation, ExchangeFailure> {
        // SDKs and browsers also accept gzip, so this reveals a proxy that compresses streams.
        let request = request(probe.path, as: .own, isPost: true, acceptsGzip: true)
        let recorder = StreamRecorder(limit: limit)
        do {
            return .success(
                try await waitInTask { completion in
                    recorder.start(
                        OutgoingHead(request), body: probe.body, at: base, over: patient, completion: completion)
                })
        } catch {
            return .failure(ExchangeFailure(error))
        }
    }

    private func request(
        _ path: String, as credential: Credential, isPost: Bool, acceptsGzip: Bool
    ) -> HTTPRequest {
        var fields: HTTPFields = [.accept: isPost ? "application/json, text/event-stream" : "application/json"]
        fields[.userAgent] = "headgate-doctor"
        if isPost { fields[.contentType] = "application/json" }
        if acceptsGzip { fields[.acceptEncoding] = "gzip" }
        fields[.anthropicVersion] = path == "/v1/messages" ? "2023-06-01" : nil
        switch credential {
        case .own: fields[.authorization] = key.map { "Bearer \($0)" }
        case .wrong: fields[.authorization] = "Bearer hg-doctor-has-no-such-key"
        case .none: break
        }
        return HTTPRequest(
            method: isPost ? .post : .get, scheme: nil, authority: base.authority, path: base.pathPrefix + path,
            headerFields: fields)
    }
}

extension ResponseFields {
    init(_ head: ResponseHead) {
        self.init(head.fields.httpFields.map { (name: $0.name.canonicalName, value: $0.value) })
    }
}

extension ExchangeFailure {
    init(_ error: any Error) {
        guard let error = error as? TransportError else {
            self.init(.answer, (error as? HTTPSyntaxError)?.explanation ?? "the answer cannot be read")
            return
        }
        switch error.kind {
        case .connect, .unreachable: self.init(.connect, error.detail)
        case .connectTimeout: self.init(.connect, error.detail.isEmpty ? "timed out" : error.detail)
        case .tls: self.init(.tls, error.detail)
        case .responseTimeout, .silenceTimeout: self.init(.silence, "nothing came in time")
        case .notRecorded: self.init(.answer, error.detail)
        case .closedBeforeResponse: self.init(.answer, "the connection was closed without an answer")
        case .truncatedBody: self.init(.answer, "the connection broke inside the answer")
        case .encoding: self.init(.answer, "its Content-Encoding cannot be read: \(error.detail)")
        case .protocolViolation, .cancelled, .notReady, .busy, .noKey, .unavailable, .middleware:
            self.init(.answer, error.detail)
        }
    }
}

/// Creates a client for each examined place. Two places never share connections.
struct DoctorNetwork {
    private let network: UpstreamNetwork
    private let access: UpstreamAccess

    init(group: EventLoopGroup) {
        network = UpstreamNetwork(group: group)
        access = UpstreamAccess(tls: try? TLSContext.client(authorities: nil), allowsPrivateAddresses: true)
    }

    func client(of target: DoctorTarget) -> DoctorClient {
        let quick = TransferTimeouts(connect: .seconds(10), firstByte: .seconds(10), silence: .seconds(10))
        let transport = UpstreamTransport(network: network, access: access, timeouts: quick)
        // A model can be slow to respond.
        let patient = transport.with(
            timeouts: TransferTimeouts(connect: .seconds(10), firstByte: .seconds(180), silence: .seconds(120)))
        return DoctorClient(base: target.url, key: target.key, quick: transport, patient: patient)
    }
}
