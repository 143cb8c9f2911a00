/// The query of a request's path, item by item.
struct RequestQuery {
    private var rest: Substring

    /// - Parameter path: with its query, if it has one.
    init(of path: String) {
        let question = path.utf8.firstIndex(of: 0x3F)
        rest = question.map { path[path.index(after: $0)...] } ?? ""
    }

    /// The next value of that name, still encoded; nil after the last.
    mutating func next(named name: String) -> Substring? {
        while !rest.isEmpty {
            let end = rest.utf8.firstIndex(of: 0x26) ?? rest.endIndex
            let item = rest[..<end]
            rest = end == rest.endIndex ? "" : rest[rest.utf8.index(after: end)...]
            let key = item[..<(item.utf8.firstIndex(of: 0x3D) ?? item.endIndex)]
            guard !item.isEmpty, PercentEncoding.decode(key, plusIsSpace: true) == name else { continue }
            return item[key.endIndex...].dropFirst()
        }
        return nil
    }
}
