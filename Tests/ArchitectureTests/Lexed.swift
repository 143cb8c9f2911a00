/// Swift source divided into code, strings and comments, precisely enough for rules that read lines. Prose must not
/// mislead a rule about code, and a literal must not mislead a rule about prose.
struct Lexed {
    enum Kind: UInt8 {
        case code
        case string
        case comment
    }

    private let bytes: [UInt8]
    private var kinds: [Kind]

    init(_ text: String) {
        bytes = Array(text.utf8)
        kinds = Array(repeating: .code, count: bytes.count)
        classify()
    }

    /// Returns the lines of the text. Characters of other kinds are blank, so that line numbers and columns stay the
    /// same.
    func lines(of wanted: Set<Kind>) -> [String] {
        text(of: wanted).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the text, in which characters of other kinds are blank.
    func text(of wanted: Set<Kind>) -> String {
        let newline = UInt8(ascii: "\n")
        let kept = zip(bytes, kinds).map { byte, kind in
            byte == newline || wanted.contains(kind) ? byte : UInt8(ascii: " ")
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private mutating func classify() {
        var index = 0
        while index < bytes.count {
            let end: Int
            let kind: Kind
            if starts("//", at: index) {
                (end, kind) = (endOfLine(from: index), .comment)
            } else if starts("/*", at: index) {
                (end, kind) = (endOfBlockComment(from: index), .comment)
            } else if let literal = endOfString(from: index) {
                (end, kind) = (literal, .string)
            } else {
                (end, kind) = (index + 1, .code)
            }
            for position in index..<end { kinds[position] = kind }
            index = end
        }
    }

    private func starts(_ token: StaticString, at index: Int) -> Bool {
        let token = UnsafeBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
        return index + token.count <= bytes.count && bytes[index..<index + token.count].elementsEqual(token)
    }

    private func endOfLine(from start: Int) -> Int {
        bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }

    private func endOfBlockComment(from start: Int) -> Int {
        var (index, depth) = (start, 0)
        while index < bytes.count {
            if starts("/*", at: index) {
                (index, depth) = (index + 2, depth + 1)
            } else if starts("*/", at: index) {
                (index, depth) = (index + 2, depth - 1)
                if depth == 0 { return index }
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// Returns the end of the literal that starts at `start`; nil if none does. An interpolation is part of its
    /// literal.
    private func endOfString(from start: Int) -> Int? {
        let hashes = bytes[start...].prefix { $0 == UInt8(ascii: "#") }.count
        var index = start + hashes
        guard starts("\"", at: index) else { return nil }
        let isMultiline = starts("\"\"\"", at: index)
        index += isMultiline ? 3 : 1
        let quotes = isMultiline ? 3 : 1
        let terminator = Array(repeating: UInt8(ascii: "\""), count: quotes) + hashMarks(hashes)
        let escape = [UInt8(ascii: "\\")] + hashMarks(hashes)
        var parentheses = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if !isMultiline, bytes[index] == UInt8(ascii: "\n") { return index }
            if rest.starts(with: escape) {
                index += escape.count
                if starts("(", at: index) { parentheses += 1 }
                index += 1
            } else if parentheses > 0 {
                if bytes[index] == UInt8(ascii: "(") { parentheses += 1 }
                if bytes[index] == UInt8(ascii: ")") { parentheses -= 1 }
                index += 1
            } else if rest.starts(with: terminator) {
                return index + terminator.count
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    private func hashMarks(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "#"), count: count) }
}
