internal import HeadgateHTTP
internal import HeadgateRelay

/// Canonical form of a client's path. Clients join base URLs and routes in several ways: `//v1`, `/v1/v1`, `/openai/v1`
/// and a trailing slash all occur.
enum RoutePath {
    /// Prefixes that stand for `/v1`, each with the number of bytes to drop.
    private static let prefixes: [(whole: [UInt8], dropped: Int)] = [
        (Array("/v1/v1".utf8), 3), (Array("/openai/v1".utf8), 7), (Array("/api/v1".utf8), 4),
    ]

    /// - Parameter target: a path with its query.
    /// - Returns: the path in its canonical form, without the query; nil if it has that form already.
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
