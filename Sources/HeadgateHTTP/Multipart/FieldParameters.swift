/// Value of a header with a word and its parameters: `form-data; name="file"; filename="a b.mp3"`.
///
/// Quoted values have no escapes: a backslash is literal, and must not precede the closing quote, since some parsers
/// would continue the value.
struct FieldParameters {
    struct Parameter {
        /// Name in lower case.
        let name: String
        let value: [UInt8]
        /// Whether the value is in double quotes.
        let isQuoted: Bool

        /// Whether another parser might find quotes in the value: PHP takes single quotes for quotes, and Python strips
        /// angle brackets.
        var holdsQuotesOfOthers: Bool { value.contains(where: Parameter.isQuoteOfOthers) }

        static func isQuoteOfOthers(_ byte: UInt8) -> Bool { "'`<>".utf8.contains(byte) }
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) { bytes = Array(value.utf8) }
    init(_ value: some Sequence<UInt8>) { bytes = Array(value) }

    /// Whether everything has been read.
    var isAtEnd: Bool { index == bytes.count }

    /// Returns the word before the parameters, in lower case.
    mutating func word() -> String {
        skipSpace()
        let word = take { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 }
        return lowercased(word)
    }

    /// Returns the next parameter; nil at the end, and at anything that is not a parameter.
    mutating func next() -> Parameter? {
        let start = index
        skipSpace()
        guard take(0x3B) else { return isAtEnd ? nil : stop(at: start) }
        skipSpace()
        let name = take(FieldParameters.isToken)
        guard !name.isEmpty, take(0x3D) else { return stop(at: start) }
        let isQuoted = index < bytes.count && bytes[index] == 0x22
        guard let value = value() else { return stop(at: start) }
        return Parameter(name: lowercased(name), value: Array(value), isQuoted: isQuoted)
    }

    private mutating func value() -> ArraySlice<UInt8>? {
        guard take(0x22) else {
            let token = take(FieldParameters.isToken)
            return token.isEmpty ? nil : token
        }
        let text = take { $0 != 0x22 }
        guard take(0x22), text.last != 0x5C else { return nil }
        return text
    }

    private mutating func stop(at start: Int) -> Parameter? {
        index = start
        return nil
    }

    private mutating func skipSpace() { _ = take { $0 == 0x20 || $0 == 0x09 } }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func take(_ isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, isWanted(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    private func lowercased(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
