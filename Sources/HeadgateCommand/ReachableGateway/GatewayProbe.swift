import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateUpstream

/// Asks what listens somewhere whether it is a gateway, and ready.
struct GatewayProbe {
    struct Answer {
        let status: Int
        let body: [UInt8]

        /// Whether this is what a ready gateway says. Another program's server would hardly say just this.
        var isReadyGateway: Bool { status == 200 && body == Array(#"{"status":"ok"}"#.utf8) }
    }

    let group: EventLoopGroup

    /// `GET /readyz`. Waits for the answer; not on a loop.
    ///
    /// - Throws: ``TransportError``; nothing within 3 s is one.
    func askReadiness(of gateway: BaseURL) throws -> Answer {
        let request = HTTPRequest(
            method: .get, scheme: nil, authority: gateway.authority, path: gateway.pathPrefix + "/readyz")
        return try ask(
            request, body: nil, at: gateway, operationID: "getReadiness", within: .seconds(3), upTo: 64 << 10)
    }

    /// Asks what would happen to a request. Waits for the answer; not on a loop.
    ///
    /// - Parameter path: of the request's route.
    /// - Throws: ``TransportError``.
    func explain(_ path: String, _ body: [UInt8], at gateway: BaseURL, key: String?) throws -> Answer {
        var fields: HTTPFields = [.contentType: "application/json"]
        if let key { fields[.authorization] = "Bearer \(key)" }
        if let explain = HTTPField.Name("x-headgate-explain") { fields[explain] = "1" }
        let request = HTTPRequest(
            method: .post, scheme: nil, authority: gateway.authority, path: gateway.pathPrefix + path,
            headerFields: fields)
        return try ask(request, body: body, at: gateway, operationID: "explain", within: .seconds(30), upTo: 256 << 20)
    }

    private func ask(
        _ request: HTTPRequest, body: [UInt8]?, at gateway: BaseURL, operationID: String, within limit: Duration,
        upTo octets: Int
    ) throws -> Answer {
        let result = Locked<Result<Answer, any Error>?>(nil)
        let answered = Latch()
        let timeouts = TransferTimeouts(connect: .seconds(3), firstByte: limit, silence: limit)
        let access = UpstreamAccess(tls: try? TLSContext.client(authorities: nil), allowsPrivateAddresses: true)
        let transport = UpstreamTransport(network: UpstreamNetwork(group: group), access: access, timeouts: timeouts)
        let loop = group.loops[0]
        loop.execute {
            Task(executorPreference: loop) {
                let answer: Result<Answer, any Error>
                do {
                    let (response, body) = try await transport.send(
                        request, body: body.map { .bytes($0) }, baseURL: gateway, operationID: operationID)
                    let bytes = try await body?.collect(upTo: octets)
                    answer = .success(Answer(status: response.status.code, body: bytes ?? []))
                } catch {
                    answer = .failure(error)
                }
                result.withLock { $0 = answer }
                answered.open()
            }
        }
        answered.wait()
        guard let answer = result.withLock({ $0 }) else { throw TransportError(.cancelled) }
        return try answer.get()
    }
}

extension ListenerConfiguration {
    /// The URL from this machine; nil with TLS, since the name that the certificate is for is not known here.
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
