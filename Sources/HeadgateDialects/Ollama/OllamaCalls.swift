/// Which result answers which call. Ollama's clients tell that by ids, by the tool's name, or by nothing but the order.
struct OllamaCalls {
    /// Those without a result, oldest first.
    private var waiting: [(id: String, name: String)] = []
    private var taken: Set<String> = []
    private var count = 0

    /// Keeps the ids of the clients' own apart from those that are made here.
    ///
    /// - Parameter messages: of the whole conversation.
    mutating func reserve(_ messages: [JSONValue]) {
        for call in messages.flatMap({ $0["tool_calls"]?.array ?? [] }) {
            if let id = call["id"]?.string { taken.insert(id) }
        }
    }

    /// - Parameter id: the client's; nil or empty where it has none.
    /// - Returns: the call's id.
    mutating func ask(_ id: String?, name: String) -> String {
        let id = if let id, !id.isEmpty { id } else { next() }
        waiting.append((id, name))
        return id
    }

    private mutating func next() -> String {
        var id: String
        repeat {
            id = "call_\(count)"
            count += 1
        } while taken.contains(id)
        return id
    }

    /// - Parameters:
    ///   - id: of the call that is answered.
    ///   - name: of its tool.
    /// - Returns: the id of the call; one that no call has where nothing was asked.
    mutating func answer(_ id: String?, name: String?) -> String {
        let id = id.flatMap { $0.isEmpty ? nil : $0 }
        let name = name.flatMap { $0.isEmpty ? nil : $0 }
        let index =
            id.flatMap { id in waiting.firstIndex { $0.id == id } }
            ?? name.flatMap { name in waiting.firstIndex { $0.name == name } }
            ?? (name == nil && !waiting.isEmpty ? 0 : nil)
        guard let index else { return id ?? name ?? next() }
        return waiting.remove(at: index).id
    }
}
