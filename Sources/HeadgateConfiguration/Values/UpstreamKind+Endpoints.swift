extension UpstreamKind {
    /// Example URL for the message about a missing one.
    var exampleURL: String {
        switch self {
        case .openai, .onDevice: "https://api.openai.com/v1"
        case .anthropic: "https://api.anthropic.com"
        case .azure: "https://NAME.openai.azure.com"
        }
    }

    /// Returns the base path for requests of this kind, from the URL that the provider's own libraries use.
    func complete(_ url: UpstreamURL, hasVersion: Bool) throws(InvalidValue) -> UpstreamURL {
        try OpenAIEndpoint.checkEnd(url, route: "/chat/completions")
        switch self {
        case .openai, .onDevice: return try OpenAIEndpoint.check(url)
        case .anthropic:
            try OpenAIEndpoint.checkEnd(url, route: "/messages")
            // Anthropic's libraries append /v1 to any path.
            return url.pathPrefix.hasSuffix("/v1") ? url : url.with(pathPrefix: url.pathPrefix + "/v1")
        case .azure: return try AzureEndpoint.complete(url, hasVersion: hasVersion)
        }
    }
}

/// Azure OpenAI's two sets of paths: `/openai/v1`, which is like OpenAI's, and `/openai/deployments/NAME`, which
/// requires an api-version.
enum AzureEndpoint {
    static let expectedVersion = "an api-version such as 2024-10-21 or 2025-04-01-preview"

    /// Completes a URL without a path, which is that of a resource. Any other path stays unchanged.
    static func complete(_ url: UpstreamURL, hasVersion: Bool) throws(InvalidValue) -> UpstreamURL {
        guard !url.pathPrefix.isEmpty else { return url.with(pathPrefix: hasVersion ? "/openai" : "/openai/v1") }
        guard !hasVersion || !url.pathPrefix.hasSuffix("/v1") else {
            throw InvalidValue("its v1 paths take no api_version: remove the path, or api_version")
        }
        return url
    }

    static func checkVersion(_ text: String) throws(InvalidValue) -> String {
        let date = text.hasSuffix("-preview") ? text.dropLast("-preview".count) : text[...]
        guard date.utf8.count == 10, (try? RFC3339Date.unixSeconds(String(date))) != nil else {
            throw InvalidValue("expected \(expectedVersion)")
        }
        return text
    }
}

/// Base URLs of well-known providers that look right but do not work.
enum OpenAIEndpoint {
    /// Path of the API, by host. Hosts that also respond without a path, such as api.deepseek.com, are not included.
    private static let paths = [
        "api.cerebras.ai": "/v1", "api.fireworks.ai": "/inference/v1", "api.groq.com": "/openai/v1",
        "api.mistral.ai": "/v1", "api.openai.com": "/v1", "api.together.xyz": "/v1", "api.x.ai": "/v1",
        "generativelanguage.googleapis.com": "/v1beta/openai", "integrate.api.nvidia.com": "/v1",
        "openrouter.ai": "/api/v1",
    ]

    static func check(_ url: UpstreamURL) throws(InvalidValue) -> UpstreamURL {
        guard url.pathPrefix.isEmpty, let path = paths[url.host] else { return url }
        throw InvalidValue("the API of \(url.host) has a path: write \(url.with(pathPrefix: path))")
    }

    /// Checks the end of a URL. A URL copied from a provider's page is often that of a route instead of the API.
    ///
    /// - Parameter route: Route that the gateway would append again.
    static func checkEnd(_ url: UpstreamURL, route: String) throws(InvalidValue) {
        guard url.pathPrefix.hasSuffix(route) else { return }
        let base = url.with(pathPrefix: String(url.pathPrefix.dropLast(route.count)))
        throw InvalidValue("the gateway adds \(route) by itself: write \(base)")
    }
}
