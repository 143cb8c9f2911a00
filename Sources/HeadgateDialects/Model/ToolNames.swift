/// Names of tools at the upstream: the client's names, adapted to the upstream's format.
struct ToolNames {
    /// The upstream's names by the client's.
    private var written: [String: String] = [:]
    private var restricted: RestrictedNames

    init(maximumLength: Int) { restricted = RestrictedNames(substitute: "tool", maximumLength: maximumLength) }

    /// Returns the upstream's name for a tool of the client. It is always the same, and no other tool has it.
    mutating func name(for name: String) -> String {
        if let known = written[name] { return known }
        let next = restricted.next(for: name)
        written[name] = next
        return next
    }

    /// All names sent to the upstream, sorted.
    var all: [String] { written.values.sorted() }

    /// The client's names by the upstream's, if they differ.
    var changed: [String: String] {
        var changed: [String: String] = [:]
        for (name, next) in written where name != next { changed[next] = name }
        return changed
    }
}
