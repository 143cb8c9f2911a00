/// The protocol that an upstream speaks.
package enum UpstreamKind: String, Sendable, CaseIterable {
    /// An OpenAI-style HTTP API.
    case openai
    /// The built-in model, run by the gateway itself.
    case onDevice = "on-device"
}

/// One provider that requests are forwarded to.
package struct UpstreamConfiguration: Sendable, Equatable {
    /// Unique; 1 to 64 letters, digits, `.`, `_` and `-`, fit for a metric label.
    package var name: String
    package var kind: UpstreamKind
    /// nil exactly when the kind is ``UpstreamKind/onDevice``.
    package var baseURL: UpstreamURL?
    /// Visible ASCII, never empty.
    package var apiKey: Secret?
    /// Added to every request of this upstream; names are unique whatever their case.
    package var headers: [HeaderConfiguration]
    package var timeouts: UpstreamTimeouts

    package init(
        name: String, kind: UpstreamKind, baseURL: UpstreamURL? = nil, apiKey: Secret? = nil,
        headers: [HeaderConfiguration] = [], timeouts: UpstreamTimeouts = .init()
    ) {
        self.name = name
        self.kind = kind
        self.baseURL = baseURL
        self.apiKey = apiKey
        self.headers = headers
        self.timeouts = timeouts
    }
}
