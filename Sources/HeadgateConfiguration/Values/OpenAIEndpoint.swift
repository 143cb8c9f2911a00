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

    /// What is copied from a provider's page is often the URL of a route, and not that of the API.
    ///
    /// - Parameter route: that the gateway would put behind it once more.
    static func checkEnd(_ url: UpstreamURL, route: String) throws(InvalidValue) {
        guard url.pathPrefix.hasSuffix(route) else { return }
        let base = url.with(pathPrefix: String(url.pathPrefix.dropLast(route.count)))
        throw InvalidValue("the gateway adds \(route) by itself: write \(base)")
    }
}
