/// Counts the members of a document without parsing it.
///
/// It is separate, because a count in the scanner would cost time for every event of every stream. It is used only for
/// documents that are long enough.
package enum JSONMemberCount {
    /// The number of bytes of the shortest member, including its comma: `"":0,`.
    private static let shortest = 5

    /// Returns the end of the name of the first member above `limit`, at any depth. Returns nil if there are fewer
    /// members, or if a cursor rejects the document before that member.
    package static func place(above limit: Int, in document: UnsafeRawBufferPointer) -> Int? {
        guard document.count > limit * shortest else { return nil }
        let scanner = JSONScanner(document)
        var left = limit
        var depth = 0
        var offset = 0
        while offset < scanner.count {
            switch scanner[offset] {
            case UInt8(ascii: "\""):
                guard let string = try? scanner.scanString(offset) else { return nil }
                offset = string.contents.upperBound
            case UInt8(ascii: ":"):
                guard left > 0 else { return offset }
                left -= 1
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= JSONScanner.deepest else { return nil }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            offset += 1
        }
        return nil
    }
}
