/// Names of tools for the upstream: those of the client, as far as its format allows them.
struct ToolNames {
    /// The upstream's names, by the client's.
    private var written: [String: String] = [:]
    private var restricted: RestrictedNames

    init(maximumLength: Int) { restricted = RestrictedNames(substitute: "tool", maximumLength: maximumLength) }

    /// The upstream's name for a tool of the client: always the same one, and that of no other tool.
    mutating func name(for name: String) -> String {
        if let known = written[name] { return known }
        let next = restricted.next(for: name)
        written[name] = next
        return next
    }

    /// All names sent to the upstream, sorted.
    var all: [String] { written.values.sorted() }

    /// The client's names, by the upstream's, where they differ.
    var changed: [String: String] {
        var changed: [String: String] = [:]
        for (name, next) in written where name != next { changed[next] = name }
        return changed
    }
}
