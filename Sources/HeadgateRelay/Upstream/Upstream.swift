package import HTTPTypes
package import HeadgateConfiguration
internal import HeadgateDialects
package import HeadgateHTTP
internal import HeadgatePrimitives

/// An upstream as requests use it: its URL, the heads of its requests, and its transport.
package final class Upstream: Sendable {
    /// Among those that were made for one configuration: what is kept for each stands at this index.
    let number: Int
    package let name: String
    let mark: UpstreamMark
    package let kind: UpstreamKind
    let speaks: SpokenFormats
    /// As it is written; nil if the configuration does not say.
    let systemMessages: SystemMessages?
    package let baseURL: BaseURL
    let credential: Secret?
    package let timeouts: UpstreamTimeouts
    /// The heads of responses that are relayed from it.
    let heads: ResponseHeads
    package let activity: UpstreamActivity
    package let repairs: RepairMemory
    let errors: UpstreamErrorReading
    let relaysRateLimits: Bool
    package let forwarding: HeaderForwarding
    /// Says which upstream made something that a client gives back later: the same for the same address, whatever its
    /// name and keys.
    let provider: String
    /// The value of the `Host` field.
    private let authority: String
    private let apiVersion: String?
    /// Edits of every request's head, in this order.
    private let editors: [any ClientRequestEditor]
    private let chain: UpstreamChain

    /// - Parameters:
    ///   - number: not given to another one of the same configuration.
    ///   - key: which of its keys requests carry.
    ///   - relaysRateLimits: the default, where the configuration does not say.
    ///   - namesItself: whether responses say where they come from.
    ///   - middlewares: around every attempt, outermost first.
    package init(
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
            logsWords: configuration.logsErrors)
        authority = definition.baseURL.authority
        provider = Upstream.provider(configuration.kind, definition.baseURL)
        forwarding = HeaderForwarding(configuration.forwardedHeaders)
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

    /// How long a stream's first content may take; nil without a limit.
    var firstContent: Duration? { timeouts.firstContent }

    /// Whether it is the on-device model.
    package var isOnDevice: Bool { kind == .onDevice }

    /// Whether it is OpenAI's own API, or Azure's copy of it, which take what others with the same API refuse.
    var isOpenAIsOwn: Bool {
        switch kind {
        case .azure: true
        case .openai: authority == "api.openai.com"
        case .anthropic, .onDevice: false
        }
    }

    /// Eight hexadecimal digits, which say nothing about the address.
    private static func provider(_ kind: UpstreamKind, _ url: BaseURL) -> String {
        let hash = UInt32(truncatingIfNeeded: StableHash.of("\(kind.rawValue) \(url.endpoint) \(url.pathPrefix)"))
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Whether paths name the model.
    var hasDeployments: Bool { apiVersion != nil }

    /// A request's head with the real key and the client headers on it.
    ///
    /// - Parameters:
    ///   - path: behind the base URL's, with its query.
    ///   - client: the fields of the client's request, of which some are forwarded; nil for none.
    package func head(
        _ method: HTTPRequest.Method, path: String, fields: HTTPFields, client: HeadFields? = nil
    ) -> OutgoingHead {
        var request = HTTPRequest(
            method: method, scheme: nil, authority: authority, path: path, headerFields: fields)
        for editor in editors { editor.edit(&request) }
        if let client { forwarding.apply(client, to: &request.headerFields) }
        return OutgoingHead(request)
    }

    /// Makes one attempt.
    ///
    /// - Parameters:
    ///   - metadata: of the client's request that it is made for; nil for what the gateway asks of itself.
    ///   - completion: called once, perhaps before this returns.
    /// - Returns: what cancels the attempt; nil when it is over already.
    package func send(
        _ request: UpstreamRequest, for metadata: ServerRequestMetadata? = nil,
        completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        chain.send(request, for: metadata, completion: completion)
    }

    /// - Parameter deployment: nil where the path names no model.
    package func path(_ path: String, deployment: String? = nil) -> String {
        guard let apiVersion else { return baseURL.pathPrefix + path }
        let place = deployment.map { "/deployments/\(PercentEncoding.segment($0))" } ?? ""
        return "\(baseURL.pathPrefix)\(place)\(path)\(path.contains("?") ? "&" : "?")api-version=\(apiVersion)"
    }
}

/// An upstream, by a part of its name's hash: enough to find it again among a model's targets.
package struct UpstreamMark: Equatable, Sendable {
    private let bits: UInt32

    package init(_ name: String) { bits = UInt32(truncatingIfNeeded: StableHash.of(name)) }
}
