internal import HTTPTypes
package import HeadgateConfiguration
internal import HeadgateDialects
package import HeadgateHTTP
internal import HeadgatePrimitives

/// An upstream as requests use it: URL, request heads and transport.
package final class Upstream: Sendable {
    /// Index of this upstream in arrays with one entry per upstream of a configuration.
    let number: Int
    package let name: String
    let mark: UpstreamMark
    package let kind: UpstreamKind
    let speaks: SpokenFormats
    /// Configured handling of system messages; nil if not configured.
    let systemMessages: SystemMessages?
    package let baseURL: BaseURL
    let credential: Secret?
    package let timeouts: UpstreamTimeouts
    /// Heads of responses relayed from this upstream.
    let heads: ResponseHeads
    package let activity: UpstreamActivity
    package let repairs: RepairMemory
    let errors: UpstreamErrorReading
    let relaysRateLimits: Bool
    package let forwarding: HeaderForwarding
    /// Identifier of the upstream that produced data which a client sends back later. It depends on the kind and the
    /// address only, so it survives a change of name or keys.
    let provider: String
    /// Whether the on-device model can call tools; nil while that is not known.
    let takesTools: @Sendable () -> Bool?
    /// Value of the `Host` header.
    private let authority: String
    private let apiVersion: String?
    /// Editors of every request head, in order.
    private let editors: [any ClientRequestEditor]
    private let chain: UpstreamChain

    /// - Parameters:
    ///   - number: index, unique among the upstreams of one configuration.
    ///   - key: index of the credential that requests carry.
    ///   - relaysRateLimits: default if the upstream's configuration has no setting.
    ///   - namesItself: whether responses name the upstream.
    ///   - middlewares: middlewares around every attempt, outermost first.
    init(
        _ definition: UpstreamDefinition, number: Int = 0, key: Int = 0, timeouts: UpstreamTimeouts,
        relaysRateLimits: Bool,
        namesItself: Bool = false, middlewares: [any UpstreamMiddleware] = []
    ) {
        let configuration = definition.configuration
        self.number = number
        name = configuration.name
        mark = UpstreamMark(configuration.name)
        kind = configuration.kind
        speaks = SpokenFormats(configuration.speaks)
        systemMessages = configuration.systemMessages
        baseURL = definition.baseURL
        credential = definition.credentials.isEmpty ? nil : definition.credentials[key]
        self.timeouts = timeouts
        heads = namesItself ? ResponseHeads(upstream: configuration.name) : .plain
        activity = definition.activity
        repairs = definition.repairs
        errors = UpstreamErrorReading(
            upstream: configuration.name,
            redaction: SecretRedaction(keys: definition.credentials, headers: configuration.headers),
            changingKeys: definition.issuedKeys?.known, logsWords: configuration.logsErrors)
        authority = definition.baseURL.authority
        provider = Upstream.provider(configuration.kind, definition.baseURL)
        forwarding = HeaderForwarding(
            configuration.forwardedHeaders, strippedBetas: configuration.strippedBetas)
        takesTools = definition.takesTools
        apiVersion = configuration.apiVersion
        editors = [
            AuthInjectionMiddleware(kind: configuration.kind, credential: credential),
            HeaderInjectionMiddleware(
                factory: HeaderFactory(configured: configuration.headers), removed: configuration.removedHeaders),
        ]
        self.relaysRateLimits = configuration.relaysRateLimits ?? relaysRateLimits
        chain = UpstreamChain(
            middlewares, endingAt: definition.transport(timeouts), baseURL: definition.baseURL)
    }

    /// Deadline for a stream's first content; nil without a limit.
    var firstContent: Duration? { timeouts.firstContent }

    /// Whether this upstream is the on-device model.
    package var isOnDevice: Bool { kind == .onDevice }

    /// Whether this is OpenAI's own API or Azure's copy of it. Both accept requests that other servers with the same
    /// API refuse.
    var isOpenAIsOwn: Bool {
        switch kind {
        case .azure: true
        case .openai: authority == "api.openai.com"
        case .anthropic, .onDevice: false
        }
    }

    /// Returns whether the upstream compacts conversations itself, for requests in its own format.
    func compacts(_ format: ClientFormat) -> Bool {
        switch format {
        case .responses: isOpenAIsOwn && speaks.contains(.responses)
        case .messages: authority == "api.anthropic.com"
        case .chat, .ollamaChat, .ollamaGenerate: false
        }
    }

    /// Returns eight hexadecimal digits that do not reveal the address.
    private static func provider(_ kind: UpstreamKind, _ url: BaseURL) -> String {
        // Conversations hold these digits, so the text never changes. A printed enum would be slow besides.
        let endpoint =
            switch url.endpoint {
            case .tcp(let host, let port): "tcp(host: \"\(host)\", port: \(port))"
            case .tls(let host, let port): "tls(host: \"\(host)\", port: \(port))"
            case .unix(let path): "unix(path: \"\(path)\")"
            }
        let hash = UInt32(truncatingIfNeeded: StableHash.of("\(kind.rawValue) \(endpoint) \(url.pathPrefix)"))
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Whether request paths name the model.
    var hasDeployments: Bool { apiVersion != nil }

    /// Builds a request head with the upstream's key, the configured headers and the forwarded client headers.
    ///
    /// - Parameters:
    ///   - path: complete path and query, as ``path(_:deployment:)`` returns them.
    ///   - client: headers of the client's request, to forward from; nil forwards none.
    ///   - removed: names of headers that are not sent, from any source.
    func head(
        _ method: HTTPRequest.Method, path: String, fields: HTTPFields, client: HeadFields? = nil,
        without removed: [HTTPField.Name] = []
    ) -> OutgoingHead {
        var request = HTTPRequest(
            method: method, scheme: nil, authority: authority, path: path, headerFields: fields)
        for editor in editors { editor.edit(&request) }
        if let client { forwarding.apply(client, to: &request.headerFields) }
        for name in removed { request.headerFields[name] = nil }
        return OutgoingHead(request)
    }

    /// Makes one attempt.
    ///
    /// - Parameters:
    ///   - metadata: metadata of the client's request; nil for the gateway's own requests.
    ///   - completion: called once, possibly before this method returns.
    /// - Returns: a handle that cancels the attempt; nil if the attempt is already over.
    func send(
        _ request: UpstreamRequest, for metadata: ServerRequestMetadata? = nil,
        completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        chain.send(request, for: metadata, completion: completion)
    }

    /// Returns a path below the base URL, with the deployment and API version that Azure requires.
    ///
    /// - Parameter deployment: nil if the path names no model.
    func path(_ path: String, deployment: String? = nil) -> String {
        guard let apiVersion else { return baseURL.pathPrefix + path }
        let place = deployment.map { "/deployments/\(PercentEncoding.segment($0))" } ?? ""
        return "\(baseURL.pathPrefix)\(place)\(path)\(path.contains("?") ? "&" : "?")api-version=\(apiVersion)"
    }
}

/// Partial hash of an upstream's name, sufficient to find the upstream among a model's targets.
struct UpstreamMark: Equatable, Sendable {
    private let bits: UInt32

    init(_ name: String) { bits = UInt32(truncatingIfNeeded: StableHash.of(name)) }
}
