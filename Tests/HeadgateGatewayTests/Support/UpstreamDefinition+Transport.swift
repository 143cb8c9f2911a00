import HeadgateConfiguration
import HeadgateHTTP

@testable import HeadgateRelay

extension UpstreamDefinition {
    /// Creates an upstream with one transport, regardless of deadlines.
    init(
        name: String, kind: UpstreamKind = .openai, baseURL: BaseURL, credential: Secret?,
        headers: [HeaderConfiguration] = [], transport: any RelayTransport
    ) {
        var configuration = UpstreamConfiguration(name: name, kind: kind, apiKey: credential)
        configuration.headers = headers
        self.init(configuration, baseURL: baseURL, credentials: [credential].compactMap(\.self)) { _ in transport }
    }
}

extension Upstream {
    convenience init(_ definition: UpstreamDefinition) {
        self.init(definition, timeouts: UpstreamTimeouts(), relaysRateLimits: true)
    }
}
