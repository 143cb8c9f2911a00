/// List of other systems' state in a trace (`tracestate`). It is forwarded unchanged, or dropped as a whole.
enum TraceState {
    /// Maximum bytes of all members.
    static let longest = 1024
    static let mostMembers = 32

    /// - Parameter fields: the header values in the order received.
    /// - Returns: one value; empty if the list is damaged or above the bounds.
    static func accepted(_ fields: [String]) -> String {
        let value = fields.filter { !$0.isEmpty }.joined(separator: ",")
        guard value.utf8.count <= longest else { return "" }
        var keys: Set<String> = []
        for member in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let member = trimmed(member)
            if member.isEmpty { continue }
            guard let equals = member.firstIndex(of: UInt8(ascii: "=")), isKey(member[..<equals]),
                isValue(member[member.index(after: equals)...]),
                keys.insert(String(decoding: member[..<equals], as: UTF8.self)).inserted
            else { return "" }
        }
        return keys.count <= mostMembers ? value : ""
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    /// Whether the text is a key: it begins with a letter or, for systems with many tenants, a digit.
    private static func isKey(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, isLetterOrDigit(first), text.count <= 256 else { return false }
        return text.allSatisfy { isLetterOrDigit($0) || "_-*/@".utf8.contains($0) }
            && text.count { $0 == UInt8(ascii: "@") } <= 1
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }

    /// Whether the text is visible ASCII and spaces, without the characters that separate members.
    private static func isValue(_ text: Substring.UTF8View) -> Bool {
        (1...256).contains(text.count) && text.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "=") }
    }
}
