internal import HeadgateHTTP

/// The path that a client meant. Base URLs and routes are joined in more than one way: `//v1`, `/v1/v1`, `/openai/v1`
/// and a slash at the end are all seen.
enum RoutePath {
    /// Prefixes that lead to the routes below `/v1`, each with the part that is dropped.
    private static let prefixes: [(whole: [UInt8], dropped: Int)] = [
        (Array("/v1/v1".utf8), 3), (Array("/openai/v1".utf8), 7), (Array("/api/v1".utf8), 4),
    ]

    /// - Parameter target: a path with its query.
    /// - Returns: the path in its one form, without the query; nil if that is the form it has.
    static func canonical(_ target: UnsafeRawBufferPointer) -> [UInt8]? {
        let length = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        var path: [UInt8] = []
        path.reserveCapacity(length)
        for byte in target[..<length] where byte != UInt8(ascii: "/") || path.last != byte { path.append(byte) }
        if path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        while let prefix = prefixes.first(where: { begins(path, with: $0.whole) }) { path.removeFirst(prefix.dropped) }
        return path.count == length ? nil : path
    }

    private static func begins(_ path: [UInt8], with prefix: [UInt8]) -> Bool {
        path.starts(with: prefix) && (path.count == prefix.count || path[prefix.count] == UInt8(ascii: "/"))
    }
}
