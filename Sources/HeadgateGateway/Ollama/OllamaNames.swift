internal import HeadgateHTTP
internal import HeadgateRelay

/// Resolver of the model names that Ollama clients send. They add the tag `:latest` to names that have no tag in the
/// gateway, and omit it from names that have it.
struct OllamaNames: Sendable {
    let models: ModelTable
    let discovery: ModelDiscovery

    private static let usualTag = ":latest"

    /// Returns the gateway's name for a model, or the name unchanged if the gateway knows neither form.
    func resolved(_ name: String, for caller: ClientKey) -> String {
        let other =
            name.hasSuffix(Self.usualTag)
            ? String(name.dropLast(Self.usualTag.count)) : name.contains(":") ? nil : name + Self.usualTag
        guard let other, !other.isEmpty else { return name }
        for candidate in [name, other] where models.match(of: candidate) == candidate { return candidate }
        // Only a pattern can match now, and it can match both forms, so the listed form wins.
        let listed = discovery.names(for: caller)
        return listed.contains(name) || !listed.contains(other) ? name : other
    }
}
