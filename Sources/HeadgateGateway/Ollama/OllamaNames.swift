internal import HeadgateHTTP

/// Which model a name of Ollama's clients means: they write the tag `:latest` where the gateway's names have none, and
/// leave it out where they have it.
struct OllamaNames: Sendable {
    let models: ModelTable
    let discovery: ModelDiscovery

    private static let usualTag = ":latest"

    /// The name as the gateway knows it; the same where it knows neither.
    func resolved(_ name: String, for caller: ClientKey) -> String {
        let other =
            name.hasSuffix(Self.usualTag)
            ? String(name.dropLast(Self.usualTag.count)) : name.contains(":") ? nil : name + Self.usualTag
        guard let other, !other.isEmpty else { return name }
        for candidate in [name, other] where models.match(of: candidate) == candidate { return candidate }
        // A pattern fits both.
        let listed = discovery.names(for: caller)
        return listed.contains(name) || !listed.contains(other) ? name : other
    }
}
