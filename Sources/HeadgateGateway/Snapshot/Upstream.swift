internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// An upstream with its chain folded around its transport, once.
struct Upstream: Sendable {
    let name: String
    let kind: UpstreamKind
    let baseURL: BaseURL
    let credential: Secret?
    /// The value of the `Host` field.
    let authority: String
    /// The client's fields that are passed on.
    let forwardedFields: [HTTPField.Name]
    let relaysRateLimits: Bool
    /// By operation.
    private let chains: [String: ClientSend]
    private let apiVersion: String?

    /// - Parameter relaysRateLimits: where the configuration does not say it.
    init(_ definition: UpstreamDefinition, timeouts: UpstreamTimeouts, relaysRateLimits: Bool) {
        let configuration = definition.configuration
        name = configuration.name
        kind = configuration.kind
        baseURL = definition.baseURL
        credential = definition.credential
        authority = definition.baseURL.authority
        forwardedFields = configuration.forwardedHeaders.compactMap { HTTPField.Name($0) }
        apiVersion = configuration.apiVersion
        let middlewares: [any ClientMiddleware] = [
            AuthInjectionMiddleware(kind: configuration.kind, credential: definition.credential),
            HeaderInjectionMiddleware(
                factory: HeaderFactory(configured: configuration.headers), removed: configuration.removedHeaders),
        ]
        self.relaysRateLimits = configuration.relaysRateLimits ?? relaysRateLimits
        let transport = definition.transport(timeouts)
        let ids = RelayOperation.all.map(\.id) + StoredResponseHandler.operations.map(\.0)
        chains = Dictionary(
            uniqueKeysWithValues: ids.map { ($0, transport.wrapped(in: middlewares, operationID: $0)) })
    }

    /// Sends a request of the operation through the upstream's chain.
    ///
    /// - Throws: ``TransportError``.
    func send(
        _ operationID: String, _ request: HTTPRequest, _ body: HTTPBody?
    ) async throws -> (HTTPResponse, HTTPBody?) {
        guard let chain = chains[operationID] else { preconditionFailure("no chain is folded for \(operationID)") }
        return try await chain(request, body, baseURL)
    }

    /// - Parameter model: the upstream's name for it, which Azure has in the path of its dated API.
    func path(of operation: RelayOperation, model: String) -> String {
        path(operation.path, deployment: operation.isOfDeployment ? model : nil)
    }

    /// - Parameter deployment: nil where the path is of no model.
    func path(_ path: String, deployment: String? = nil) -> String {
        guard let apiVersion else { return baseURL.pathPrefix + path }
        let place = deployment.map { "/deployments/\(PathSegment.encode($0))" } ?? ""
        return "\(baseURL.pathPrefix)\(place)\(path)\(path.contains("?") ? "&" : "?")api-version=\(apiVersion)"
    }
}

/// One segment of a URL's path.
enum PathSegment {
    /// With everything escaped that is not unreserved (RFC 3986 section 2.3), slashes too.
    static func encode(_ text: String) -> String {
        // Two segments that mean another place, however they are escaped; no deployment has such a name.
        if text == "." || text == ".." { return "%2E" }
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        for byte in text.utf8 {
            let letter = byte | 0x20
            if letter &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
            {
                output.append(byte)
            } else {
                output.append(0x25)
                output.append(digits[Int(byte >> 4)])
                output.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
