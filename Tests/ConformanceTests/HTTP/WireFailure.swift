/// Reason why bytes are not a response.
struct WireFailure: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) {
        description = reason
    }

    init(_ reason: String, _ bytes: some Collection<UInt8>) {
        description = "\(reason): \(bytes.abbreviated(to: 80))"
    }
}

extension Collection<UInt8> {
    /// Text with one Unicode scalar for the value of each byte.
    var latin1: String {
        String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
    }

    /// Returns the bytes as escaped text on one line, without the middle if there are more than `limit` bytes.
    func abbreviated(to limit: Int) -> String {
        guard count > limit else { return "\"\(escaped)\"" }
        let left = prefix(limit * 2 / 3)
        let right = dropFirst(count - limit / 3)
        return "\"\(left.escaped)\" ... \"\(right.escaped)\" (\(count) bytes)"
    }

    private var escaped: String {
        map { octet in
            switch octet {
            case 13: "\\r"
            case 10: "\\n"
            case 9: "\\t"
            case 32...126: String(Unicode.Scalar(octet))
            default: "\\x" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
            }
        }.joined()
    }
}
