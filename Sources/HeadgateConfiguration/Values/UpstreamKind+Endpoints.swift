extension UpstreamKind {
    /// Example URL for a file without one.
    var exampleURL: String {
        switch self {
        case .openai, .onDevice: "https://api.openai.com/v1"
        case .anthropic: "https://api.anthropic.com"
        case .azure: "https://NAME.openai.azure.com"
        }
    }

    /// The URL with the path that requests of this kind are sent under, from the URL that its own libraries take.
    func complete(_ url: UpstreamURL, hasVersion: Bool) throws(InvalidValue) -> UpstreamURL {
        try OpenAIEndpoint.checkEnd(url, route: "/chat/completions")
        switch self {
        case .openai, .onDevice: return try OpenAIEndpoint.check(url)
        case .anthropic:
            try OpenAIEndpoint.checkEnd(url, route: "/messages")
            // Anthropic's libraries add /v1 by themselves, to any path.
            return url.pathPrefix.hasSuffix("/v1") ? url : url.with(pathPrefix: url.pathPrefix + "/v1")
        case .azure: return try AzureEndpoint.complete(url, hasVersion: hasVersion)
        }
    }
}

/// Azure OpenAI has two sets of paths: `/openai/v1`, which is like OpenAI's, and `/openai/deployments/NAME`, which
/// needs an api-version.
enum AzureEndpoint {
    static let expectedVersion = "an api-version such as 2024-10-21 or 2025-04-01-preview"

    /// A URL without a path is that of a resource; any other path is the user's own.
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

/// Base URLs of well-known providers that look right and cannot work.
enum OpenAIEndpoint {
    /// The path of the API, by host. Hosts that also answer without one, such as api.deepseek.com, are not among them.
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

    /// Checks the end of a URL. URLs copied from a provider's page are often those of a route instead of the API.
    ///
    /// - Parameter route: the route that the gateway would append again.
    static func checkEnd(_ url: UpstreamURL, route: String) throws(InvalidValue) {
        guard url.pathPrefix.hasSuffix(route) else { return }
        let base = url.with(pathPrefix: String(url.pathPrefix.dropLast(route.count)))
        throw InvalidValue("the gateway adds \(route) by itself: write \(base)")
    }
}
