import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateUpstream

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Checks whether a listener is a ready gateway, and requests its data.
struct GatewayProbe {
    let group: EventLoopGroup
    /// Deadline of all requests together; nil if each request's own limit suffices.
    var deadline: ContinuousClock.Instant?

    /// Requests `GET /readyz` and waits for the response. Must not be called on a loop.
    ///
    /// - Throws: ``TransportError``, also if there is no response within 3 s.
    func askReadiness(of gateway: BaseURL) throws -> Response {
        let request = HTTPRequest(
            method: .get, scheme: nil, authority: gateway.authority, path: gateway.pathPrefix + "/readyz")
        return try ask(
            request, body: nil, at: gateway, operationID: "getReadiness", within: .seconds(3), upTo: 64 << 10)
    }

    /// Requests an explanation of a request and waits for the response. Must not be called on a loop.
    ///
    /// - Parameter path: Path of the request's route.
    /// - Throws: ``TransportError``.
    func explain(_ path: String, _ body: [UInt8], at gateway: BaseURL, key: String?) throws -> Response {
        var fields = GatewayProbe.fields(key)
        fields[.contentType] = "application/json"
        if let explain = HTTPField.Name("x-headgate-explain") { fields[explain] = "1" }
        let request = HTTPRequest(
            method: .post, scheme: nil, authority: gateway.authority, path: gateway.pathPrefix + path,
            headerFields: fields)
        return try ask(request, body: body, at: gateway, operationID: "explain", within: .seconds(30), upTo: 256 << 20)
    }

    /// Requests `GET /v1/models`: all models that the key can use, including those that upstreams list. Waits for the
    /// response. Must not be called on a loop.
    ///
    /// - Throws: ``TransportError``, also if there is no response within 5 s.
    func listModels(at gateway: BaseURL, key: String?) throws -> Response {
        let request = HTTPRequest(
            method: .get, scheme: nil, authority: gateway.authority, path: gateway.pathPrefix + "/v1/models",
            headerFields: GatewayProbe.fields(key))
        return try ask(request, body: nil, at: gateway, operationID: "listModels", within: .seconds(5), upTo: 32 << 20)
    }

    /// Requests a path with its query and waits for the response. Must not be called on a loop.
    ///
    /// - Throws: ``TransportError``, also if there is no response within 15 s.
    func ask(_ path: String, of gateway: BaseURL, key: String?) throws -> Response {
        let request = HTTPRequest(
            method: .get, scheme: nil, authority: gateway.authority, path: gateway.pathPrefix + path,
            headerFields: GatewayProbe.fields(key))
        return try ask(request, body: nil, at: gateway, operationID: "getUsage", within: .seconds(15), upTo: 32 << 20)
    }

    /// Requests `POST /v1/admin/pairings` and waits for the response. Must not be called on a loop.
    ///
    /// - Throws: ``TransportError``, also if there is no response within 15 s.
    func pair(_ body: [UInt8], at gateway: BaseURL, key: String?) throws -> Response {
        var fields = GatewayProbe.fields(key)
        fields[.contentType] = "application/json"
        let request = HTTPRequest(
            method: .post, scheme: nil, authority: gateway.authority, path: gateway.pathPrefix + "/v1/admin/pairings",
            headerFields: fields)
        return try ask(
            request, body: body, at: gateway, operationID: "createPairing", within: .seconds(15), upTo: 64 << 10)
    }

    /// Requests a document that is not a gateway's and waits for the response. Must not be called on a loop.
    ///
    /// - Throws: ``TransportError``, also if there is no response within 15 s.
    func fetch(_ url: BaseURL) throws -> Response {
        let request = HTTPRequest(
            method: .get, scheme: nil, authority: url.authority, path: url.pathPrefix.isEmpty ? "/" : url.pathPrefix,
            headerFields: [.accept: "application/json", .userAgent: "headgate/\(GatewayVersion.text)"])
        return try ask(request, body: nil, at: url, operationID: "fetch", within: .seconds(15), upTo: 1 << 20)
    }

    private static func fields(_ key: String?) -> HTTPFields {
        guard let key else { return [:] }
        return [.authorization: "Bearer \(key)"]
    }

    private func ask(
        _ request: HTTPRequest, body: [UInt8]?, at gateway: BaseURL, operationID: String, within limit: Duration,
        upTo octets: Int
    ) throws -> Response {
        let limit = min(limit, deadline.map { ContinuousClock.now.duration(to: $0) } ?? limit)
        guard limit > .zero else { throw TransportError(.responseTimeout) }
        let result = Locked<Result<Response, any Error>?>(nil)
        let answered = Latch()
        let timeouts = TransferTimeouts(connect: min(.seconds(3), limit), firstByte: limit, silence: limit)
        let access = UpstreamAccess(tls: try? TLSContext.client(authorities: nil), allowsPrivateAddresses: true)
        let transport = UpstreamTransport(network: UpstreamNetwork(group: group), access: access, timeouts: timeouts)
        let loop = group.loops[0]
        loop.execute {
            Task(executorPreference: loop) {
                let outcome: Result<Response, any Error>
                do {
                    let (response, body) = try await transport.send(
                        request, body: body.map { .bytes($0) }, baseURL: gateway, operationID: operationID)
                    let bytes = try await body?.collect(upTo: octets)
                    outcome = .success(Response(status: response.status.code, body: bytes ?? []))
                } catch {
                    outcome = .failure(error)
                }
                result.withLock { $0 = outcome }
                answered.open()
            }
        }
        // The transport's timeouts come first, because they clean up. Name resolution and reading of bodies have no
        // timeout.
        guard answered.wait(atMost: limit + .milliseconds(250)), let outcome = result.withLock({ $0 }) else {
            throw TransportError(.responseTimeout)
        }
        return try outcome.get()
    }
}

extension GatewayProbe {
    struct Response {
        let status: Int
        let body: [UInt8]

        /// Whether this is the response of a ready gateway. Another server is unlikely to send exactly this.
        var isReadyGateway: Bool { status == 200 && body == Array(#"{"status":"ok"}"#.utf8) }

        /// Message for a status other than 200.
        var complaint: String { fault?.message ?? "the gateway answered \(status)" }

        /// Code of the error in the body; nil if there is none.
        var errorCode: String? { fault?.code }

        private var fault: Fault? { try? JSONDecoder().decode(Envelope.self, from: Data(body)).error }

        private struct Envelope: Decodable { let error: Fault }

        private struct Fault: Decodable {
            let message: String
            let code: String?
        }
    }
}

extension ListenerConfiguration {
    /// URL of the listener on this machine; nil with TLS, because the certificate's name is unknown here.
    var localURL: BaseURL? {
        guard tls == nil else { return nil }
        switch address {
        case .unix(let path): return BaseURL(endpoint: .unix(path: path), pathPrefix: "")
        case .tcp(let host, let port):
            let local = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
            return BaseURL(endpoint: .tcp(host: local, port: port), pathPrefix: "")
        }
    }
}
