extension UpstreamKind {
    /// What a file may say where it says nothing.
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
