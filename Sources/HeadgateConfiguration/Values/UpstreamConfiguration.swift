/// The protocol that an upstream speaks.
package enum UpstreamKind: String, Sendable, CaseIterable {
    /// An OpenAI-style HTTP API.
    case openai
    /// Anthropic's Messages API.
    case anthropic
    /// Azure OpenAI.
    case azure
    /// The built-in model, which the gateway itself runs.
    case onDevice = "on-device"
}

/// Whether requests for streams also request token counts (`stream_options`).
package enum UsageInStreams: String, Sendable, CaseIterable {
    /// Requested, unless the upstream has rejected it.
    case auto
    case ask
    case never
}

/// A provider to which requests are forwarded.
package struct UpstreamConfiguration: Sendable, Equatable {
    /// Unique name: 1 to 64 letters, digits, `.`, `_` and `-`, valid as a metric label.
    package var name: String
    package var kind: UpstreamKind
    /// Base URL; nil if and only if the kind is ``UpstreamKind/onDevice``.
    package var baseURL: UpstreamURL?
    /// Keys in the order of the file: at most 32, all different, each visible ASCII and not empty.
    package var apiKeys: [Secret]
    /// Program that prints the key, instead of ``apiKeys``; nil for none.
    package var keyCommand: KeyCommandConfiguration?
    /// Headers set on every request to this upstream, unless the client's are forwarded; names are unique regardless of
    /// case.
    package var headers: [HeaderConfiguration] = []
    /// Lower-case names of headers that the gateway normally sets, but does not send to this upstream.
    package var removedHeaders: [String] = []
    /// Lower-case names of the client's headers that are forwarded unchanged, with precedence over all others.
    package var forwardedHeaders: [String] = []
    /// Betas that are removed from the client's `anthropic-beta` and `OpenAI-Beta` headers.
    package var strippedBetas: [String] = []
    package var timeouts = UpstreamTimeouts()
    package var parameters = ParameterRules()
    /// Whether the host can resolve to an address of a private network.
    package var allowsPrivateAddresses = false
    package var proxy: ProxyConfiguration?
    /// Path of a PEM file of certificate authorities that are trusted in addition to the system's; nil for none.
    package var authorities: String?
    /// Path of the GGUF file that the gateway runs for ``UpstreamKind/onDevice``; nil for the built-in model.
    package var deviceModel: String?
    /// Program that serves this upstream; nil if the gateway does not run one.
    package var command: CommandConfiguration?
    /// Azure's `api-version` for its deployment paths; nil for its v1 paths.
    package var apiVersion: String?
    /// Whether clients see the upstream's remaining rate limits; nil means only if there is at most one client key.
    package var relaysRateLimits: Bool?
    /// Whether the upstream's error messages are logged, according to the log's configuration.
    package var logsErrors = false
    /// Conversation formats that the upstream accepts, each once; never empty. Requests in another format are
    /// translated.
    package var speaks: [SpokenFormat]
    /// How the upstream accepts system messages. If the file does not set it (nil), those of translated requests are
    /// joined, unless the upstream is OpenAI or Azure.
    package var systemMessages: SystemMessages?
    /// Whether the upstream's own list of models is included in the gateway's; nil means only if a pattern routes to
    /// it.
    package var discovers: Bool?
    /// Whether a request that the upstream rejects in a known way is sent again without the rejected part.
    package var repairs = true
    package var usageInStreams = UsageInStreams.auto
    /// Whether `/upstream/NAME/...` forwards any request to the upstream.
    package var passesThrough = false
    /// Maximum requests in flight, from 1 to 1,000,000; nil without a limit.
    package var maximumInFlight: Int?
    /// Maximum time that a request waits for another one to end.
    package var queueTimeout = Duration.seconds(10)
    /// Periodic health check, which does not depend on requests; nil for none.
    package var healthCheck: HealthCheckConfiguration?
    /// Circuit breaker of each target that has none of its own; nil if none is configured.
    package var breaker: BreakerConfiguration?
    private var writtenLocality: Bool?

    package init(name: String, kind: UpstreamKind, baseURL: UpstreamURL? = nil, apiKey: Secret? = nil) {
        self.name = name
        self.kind = kind
        self.baseURL = baseURL
        apiKeys = apiKey.map { [$0] } ?? []
        speaks = kind.spokenFormats
    }

    /// Public name of the on-device model: its file's name without `.gguf`, with `-` for characters that no name can
    /// have.
    package var nameOnDevice: String {
        guard var name = deviceModel?.split(separator: "/").last.map(String.init) else { return "smollm2" }
        if name.lowercased().hasSuffix(".gguf") { name.removeLast(5) }
        func isFit(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || ASCII.isLetter(byte) }
        let bytes = name.utf8.map { isFit($0) || "._-".utf8.contains($0) ? $0 : UInt8(ascii: "-") }
        let fit = bytes.drop { !isFit($0) }.prefix(64)
        return fit.isEmpty ? "model" : String(decoding: fit, as: UTF8.self)
    }

    /// Whether the configuration explicitly declares the upstream as local.
    package var isDeclaredLocal: Bool { writtenLocality == true }

    /// Whether the upstream can be used without a network: as configured, or else whether it is on this machine.
    package var isLocal: Bool {
        get { writtenLocality ?? (kind == .onDevice || baseURL?.isLoopback == true) }
        set { writtenLocality = newValue }
    }
}

/// How an upstream of chat completions accepts the instructions of a conversation.
package enum SystemMessages: String, Sendable, CaseIterable {
    /// Joined into one system message at the start.
    case joined
    /// Separate, at the client's positions.
    case separate
}

/// A request with which the gateway checks whether an upstream works.
package struct HealthCheckConfiguration: Sendable, Hashable {
    /// Path after that of the base URL; begins with `/`.
    package var path: String
    /// Interval from 1 s to 24 h.
    package var every: Duration

    package init(path: String = "/models", every: Duration = .seconds(30)) {
        self.path = path
        self.every = every
    }
}

/// A format of conversations that an upstream can accept.
package enum SpokenFormat: String, Sendable, CaseIterable {
    /// OpenAI's chat completions.
    case chat
    /// Anthropic's Messages.
    case messages
    /// OpenAI's Responses.
    case responses
}

extension UpstreamKind {
    /// Default formats of an upstream of this kind.
    package var spokenFormats: [SpokenFormat] {
        switch self {
        case .openai, .azure, .onDevice: [.chat, .responses]
        case .anthropic: [.messages]
        }
    }
}
