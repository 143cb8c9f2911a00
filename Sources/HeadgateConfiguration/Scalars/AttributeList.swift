internal import HeadgatePrimitives

/// Parses lists such as `key=value,other=some%20text` in OpenTelemetry's variables. Values are percent-decoded.
enum AttributeList {
    static let expected = "a list such as key=value,other=value"

    static func parse(_ text: String) throws(InvalidValue) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for member in text.split(separator: ",") {
            let member = trimmed(member)
            if member.isEmpty { continue }
            guard let equals = member.firstIndex(of: "="), equals > member.startIndex,
                let name = decoded(trimmed(member[..<equals])),
                let value = decoded(trimmed(member[member.index(after: equals)...])), !name.isEmpty
            else { throw InvalidValue("expected \(expected)") }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// Returns the decoded text; nil for an escape without two digits, or if the result is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        PercentEncoding.octets(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
