/// Matches results with calls. Ollama's clients identify calls by ids, by the tool's name, or only by their order.
struct OllamaCalls {
    /// Calls in their order; nil for a call that has its result.
    private var calls: [(id: String, name: String)?] = []
    /// Index of the first call that might be waiting for its result.
    private var oldest = 0
    /// Indexes of waiting calls by id.
    private var places: [String: Int] = [:]
    private var placesByName: [String: PlaceQueue] = [:]
    private var taken: Set<String> = []
    private var count = 0

    /// Reserves the ids that clients chose, so that generated ids differ from them.
    ///
    /// - Parameter messages: All messages of the conversation.
    mutating func reserve(_ messages: [JSONValue]) {
        for call in messages.flatMap({ $0["tool_calls"]?.array ?? [] }) {
            if let id = call["id"]?.string { taken.insert(id) }
        }
    }

    /// Adds a call.
    ///
    /// - Parameter id: The client's id; nil or empty if it has none.
    /// - Returns: The id of the call.
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

    /// Matches a result with its call.
    ///
    /// - Parameters:
    ///   - id: Id of the call that the result is for.
    ///   - name: Name of the call's tool.
    /// - Returns: The id of the call. If no call matches, an id that no call has.
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

    /// Indexes in their order, each returned once.
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
