/// Matches results with calls. Ollama's clients identify calls by ids, by the tool's name, or only by their order.
struct OllamaCalls {
    /// In the order in which they were asked; nil for one that has its result.
    private var calls: [(id: String, name: String)?] = []
    /// The first that may be waiting.
    private var oldest = 0
    /// Places of those that wait, by the id and, the next one last, by the name.
    private var places: [String: Int] = [:]
    private var placesByName: [String: PlaceQueue] = [:]
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

    /// - Parameter id: the client's id; nil or empty if it has none.
    /// - Returns: the call's id.
    mutating func ask(_ id: String?, name: String) -> String {
        let id = if let id, !id.isEmpty { id } else { next() }
        if places[id] == nil { places[id] = calls.count }
        placesByName[name, default: PlaceQueue()].append(calls.count)
        calls.append((id, name))
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
        let place =
            id.flatMap { places[$0] } ?? name.flatMap { placeOf(name: $0) } ?? (name == nil ? oldestPlace() : nil)
        guard let place, let call = calls[place] else { return id ?? name ?? next() }
        calls[place] = nil
        places[call.id] = nil
        return call.id
    }

    private mutating func placeOf(name: String) -> Int? {
        while let place = placesByName[name]?.next() {
            if calls[place] != nil { return place }
        }
        return nil
    }

    private mutating func oldestPlace() -> Int? {
        while oldest < calls.count, calls[oldest] == nil { oldest += 1 }
        return oldest < calls.count ? oldest : nil
    }

    /// Places in their order, each given out once.
    private struct PlaceQueue {
        private var places: [Int] = []
        private var index = 0

        mutating func append(_ place: Int) { places.append(place) }

        mutating func next() -> Int? {
            guard index < places.count else { return nil }
            defer { index += 1 }
            return places[index]
        }
    }
}
