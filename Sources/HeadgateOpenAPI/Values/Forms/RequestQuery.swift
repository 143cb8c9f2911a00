internal import HeadgatePrimitives

/// Reads the query of a request from the bytes of its path.
enum RequestQuery {
    /// Calls `visit` with each value of a name, in order and without decoding, until it returns false.
    ///
    /// - Parameter path: Path with its query, if it has one.
    static func visit(
        _ name: String, of path: String, _ visit: (Slice<UnsafeBufferPointer<UInt8>>) throws -> Bool
    ) rethrows {
        var (path, name) = (path, name)
        try path.withUTF8 { path in
            guard let question = path.firstIndex(of: 0x3F) else { return }
            try name.withUTF8 { name in
                var start = question + 1
                while start < path.count {
                    let item = path[start...].prefix { $0 != 0x26 }
                    start = item.endIndex + 1
                    let key = item.prefix { $0 != 0x3D }
                    guard !item.isEmpty, isEqual(key, to: name) else { continue }
                    let value = item[key.endIndex...].dropFirst()
                    guard try visit(value) else { return }
                }
            }
        }
    }

    /// Returns the first value of a name.
    static func first(_ name: String, of path: String) -> ParameterText {
        var found = ParameterText.missing
        visit(name, of: path) { octets in
            found = PercentEncoding.decode(octets, plusIsSpace: true).map { .text($0) } ?? .malformed
            return false
        }
        return found
    }

    /// Returns the value without decoding; nil if there is none.
    static func raw(_ name: String, of path: String) -> String? {
        var found: String?
        visit(name, of: path) { octets in
            found = String(decoding: octets, as: UTF8.self)
            return false
        }
        return found
    }

    private static func isEqual(
        _ key: Slice<UnsafeBufferPointer<UInt8>>, to name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard PercentEncoding.isEncoded(key, plusIsSpace: true) else { return key.elementsEqual(name) }
        return PercentEncoding.decode(key, plusIsSpace: true)?.utf8.elementsEqual(name) ?? false
    }
}

/// Value of a parameter in a request.
@usableFromInline
enum ParameterText {
    case missing
    /// The value is not percent-encoded UTF-8.
    case malformed
    case text(String)
}
