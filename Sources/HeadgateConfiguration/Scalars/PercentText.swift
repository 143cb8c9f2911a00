internal import HeadgatePrimitives

/// Parses whole percentages such as `10%`.
enum PercentText {
    static let expected = "a percentage such as 10% (from 0% to 100%)"

    static func parse(_ text: String) throws(InvalidValue) -> Int {
        guard text.hasSuffix("%"), let percent = WholeNumber.digits(text.utf8.dropLast()), percent <= 100 else {
            throw InvalidValue("expected \(expected)")
        }
        return percent
    }
}

extension PercentEncoding {
    /// Decodes a part of a URL and rejects control characters.
    ///
    /// - Parameter name: Name of the part in the error message.
    static func octets(of part: Substring, in name: String = "user or password") throws(InvalidValue) -> [UInt8] {
        guard let octets = octets(part.utf8) else {
            throw InvalidValue("a '%' without two hexadecimal digits: write %25 for a '%'")
        }
        guard octets.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw InvalidValue("\(name) holds a control character: remove it")
        }
        return octets
    }
}
