internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// Parameters of a request's query.
package struct QueryParameters: Sendable {
    private let all: [(name: String, value: String)]

    /// - Parameter path: the path, including its query.
    package init(_ path: String) {
        let query = path.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        all = query.split(separator: "&").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.count > 1 ? QueryParameters.decoded(pair[1]) : "")
        }
    }

    /// Value of the last parameter with that name.
    package subscript(name: String) -> String? { all.last { $0.name.isExactly(name) }?.value }

    /// Decodes percent escapes; leaves malformed ones unchanged.
    package static func decoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count > 1, let escaped = PercentEncoding.octets([byte] + rest.prefix(2))
            {
                bytes += escaped
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
