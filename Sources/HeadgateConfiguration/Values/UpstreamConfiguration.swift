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

/// Whether streams of an upstream request token counts (`stream_options`).
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
    /// The program that prints the key, instead of ``apiKeys``.
    package var keyCommand: KeyCommandConfiguration?
    /// Headers set on every request to this upstream, unless the client's are forwarded; names are unique regardless of
    /// case.
    package var headers: [HeaderConfiguration] = []
    /// Lower-case names of headers that the gateway would set, and does not send to this upstream.
    package var removedHeaders: [String] = []
    /// Lower-case names of the client's headers that are forwarded unchanged, with precedence over all others.
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
    /// Path of the GGUF file that the gateway runs for ``UpstreamKind/onDevice``; nil for the built-in model.
    package var deviceModel: String?
    /// The program that serves this upstream, if the gateway is to run it.
    package var command: CommandConfiguration?
    /// Azure's `api-version`, for its deployment paths; nil uses its v1 paths.
    package var apiVersion: String?
    /// Whether clients see the rest of the upstream's rate limits; nil to decide by whether there is only one client
    /// key.
    package var relaysRateLimits: Bool?
    /// Whether its words on failures are logged, as the configuration of the log says.
    package var logsErrors = false
    /// The forms of conversations that it takes: one at least, no two the same. A request in another is translated.
    package var speaks: [SpokenFormat]
    /// How it takes system messages; nil if the file does not say: then those of translated requests are joined, unless
    /// it is OpenAI or Azure.
    package var systemMessages: SystemMessages?
    /// Whether its own list of models is listed; nil to decide by whether a pattern routes to it.
    package var discovers: Bool?
    /// Whether a request that it refuses in a known way is sent again without the refused part.
    package var repairs = true
    package var usageInStreams = UsageInStreams.auto
    /// Whether `/upstream/NAME/...` passes any request on to it.
    package var passesThrough = false
    /// Maximum requests in flight, from 1 to 1,000,000; nil without a limit.
    package var maximumInFlight: Int?
    /// How long a request waits for one of them to end.
    package var queueTimeout = Duration.seconds(10)
    /// A check that is made whether there are requests or not; nil without.
    package var healthCheck: HealthCheckConfiguration?
    /// Circuit breaker of each of its targets without one; nil if none is configured.
    package var breaker: BreakerConfiguration?
    private var writtenLocality: Bool?

    package init(name: String, kind: UpstreamKind, baseURL: UpstreamURL? = nil, apiKey: Secret? = nil) {
        self.name = name
        self.kind = kind
        self.baseURL = baseURL
        apiKeys = apiKey.map { [$0] } ?? []
        speaks = kind.spokenFormats
    }

    /// Public name of the on-device model: that of its file without `.gguf`, and `-` for what fits into no name.
    package var nameOnDevice: String {
        guard var name = deviceModel?.split(separator: "/").last.map(String.init) else { return "smollm2" }
        if name.lowercased().hasSuffix(".gguf") { name.removeLast(5) }
        func isFit(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || ASCII.isLetter(byte) }
        let bytes = name.utf8.map { isFit($0) || "._-".utf8.contains($0) ? $0 : UInt8(ascii: "-") }
        let fit = bytes.drop { !isFit($0) }.prefix(64)
        return fit.isEmpty ? "model" : String(decoding: fit, as: UTF8.self)
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

/// A request by which the gateway itself checks whether an upstream works.
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
    /// Default formats of an upstream of this kind.
    package var spokenFormats: [SpokenFormat] {
        switch self {
        case .openai, .azure, .onDevice: [.chat, .responses]
        case .anthropic: [.messages]
        }
    }
}
