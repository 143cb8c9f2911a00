/// The protocol that an upstream speaks.
package enum UpstreamKind: String, Sendable, CaseIterable {
    /// An OpenAI-style HTTP API.
    case openai
    /// Anthropic's Messages API.
    case anthropic
    /// Azure OpenAI.
    case azure
    /// The built-in model, run by the gateway itself.
    case onDevice = "on-device"
}

/// Whether an upstream's streams are asked for token counts (`stream_options`).
package enum UsageInStreams: String, Sendable, CaseIterable {
    /// Unless it has refused that.
    case auto
    case ask
    case never
}

/// One provider that requests are forwarded to.
package struct UpstreamConfiguration: Sendable, Equatable {
    /// Unique; 1 to 64 letters, digits, `.`, `_` and `-`, fit for a metric label.
    package var name: String
    package var kind: UpstreamKind
    /// nil exactly when the kind is ``UpstreamKind/onDevice``.
    package var baseURL: UpstreamURL?
    /// At most 32, in the order of the file, no two the same; each visible ASCII, never empty.
    package var apiKeys: [Secret]
    /// The program that prints the key; then there are no ``apiKeys``.
    package var keyCommand: KeyCommandConfiguration?
    /// Set on every request of this upstream that the client's own do not stand in for; names are unique whatever their
    /// case.
    package var headers: [HeaderConfiguration] = []
    /// Names, lower case, of fields that the gateway would set by itself and that this upstream is not sent.
    package var removedHeaders: [String] = []
    /// Names, lower case, of the client's fields that are passed on as they are, in place of all others.
    package var forwardedHeaders: [String] = []
    /// Betas that are removed from the client's `anthropic-beta` and `OpenAI-Beta` headers.
    package var strippedBetas: [String] = []
    package var timeouts = UpstreamTimeouts()
    package var parameters = ParameterRules()
    /// Whether the host may resolve to an address of a private network.
    package var allowsPrivateAddresses = false
    package var proxy: ProxyConfiguration?
    /// A PEM file of certificate authorities that are trusted besides the system's.
    package var authorities: String?
    /// The program that serves this upstream, if the gateway is to run it.
    package var command: CommandConfiguration?
    /// Azure's `api-version`, for its deployment paths; nil uses its v1 paths.
    package var apiVersion: String?
    /// Whether clients see how much of the upstream's rate limits is left; nil where only one client key exists.
    package var relaysRateLimits: Bool?
    /// Whether its words on failures are logged, as the configuration of the log says.
    package var logsErrors = false
    /// The forms of conversations that it takes: one at least, no two the same. A request in another is translated.
    package var speaks: [SpokenFormat]
    /// How it takes system messages; nil if the file does not say: then those of translated requests are joined, unless
    /// it is OpenAI or Azure.
    package var systemMessages: SystemMessages?
    /// Whether the models that it lists itself are listed; nil where a pattern leads to it.
    package var discovers: Bool?
    /// Whether a request that it refuses in a known way is sent again without what it refuses.
    package var repairs = true
    package var usageInStreams = UsageInStreams.auto
    /// Whether `/upstream/NAME/...` passes any request on to it.
    package var passesThrough = false
    /// The most requests that it is sent at a time, from 1 to 1,000,000; nil without a limit.
    package var maximumInFlight: Int?
    /// How long a request waits for one of them to end.
    package var queueTimeout = Duration.seconds(10)
    /// A check that is made whether there are requests or not; nil without.
    package var healthCheck: HealthCheckConfiguration?
    /// Of each of its targets that has none of its own; nil where none is written.
    package var breaker: BreakerConfiguration?
    private var writtenLocality: Bool?

    package init(name: String, kind: UpstreamKind, baseURL: UpstreamURL? = nil, apiKey: Secret? = nil) {
        self.name = name
        self.kind = kind
        self.baseURL = baseURL
        apiKeys = apiKey.map { [$0] } ?? []
        speaks = kind.spokenFormats
    }

    /// Whether the configuration itself says that it is local.
    package var isDeclaredLocal: Bool { writtenLocality == true }

    /// Whether it can be used without a network: as it is written, else whether it is on this machine.
    package var isLocal: Bool {
        get { writtenLocality ?? (kind == .onDevice || baseURL?.isLoopback == true) }
        set { writtenLocality = newValue }
    }
}

/// How an upstream of chat completions takes the instructions of a conversation.
package enum SystemMessages: String, Sendable, CaseIterable {
    /// As one system message, the first.
    case joined
    /// As the client has them, wherever they are.
    case separate
}

/// A request that the gateway makes by itself to learn whether an upstream works.
package struct HealthCheckConfiguration: Sendable, Hashable {
    /// Behind the path of the base URL; begins with `/`.
    package var path: String
    /// From 1 s to 24 h.
    package var every: Duration

    package init(path: String = "/models", every: Duration = .seconds(30)) {
        self.path = path
        self.every = every
    }
}

/// A form of conversations with a model that an upstream may take.
package enum SpokenFormat: String, Sendable, CaseIterable {
    /// OpenAI's chat completions.
    case chat
    /// Anthropic's Messages.
    case messages
    /// OpenAI's Responses.
    case responses
}

extension UpstreamKind {
    /// What an upstream of the kind takes where the configuration does not say.
    package var spokenFormats: [SpokenFormat] {
        switch self {
        case .openai, .azure, .onDevice: [.chat, .responses]
        case .anthropic: [.messages]
        }
    }
}
