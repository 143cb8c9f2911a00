/// One source file of the repository.
struct SourceFile {
    /// Path from the root of the repository, such as `Sources/JSONBytes/Scanner.swift`.
    let path: String
    let lineCount: Int
    private let lexed: Lexed

    init(path: String, text: String) {
        self.path = path
        lexed = Lexed(text)
        let newlines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        lineCount = newlines + (text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? 0 : 1)
    }

    /// Name of the folder in `Sources` or `Tests`.
    var target: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    /// Whether a program wrote it.
    var isGenerated: Bool { path.split(separator: "/").contains("Generated") }

    /// Every line, numbered from 1.
    var lines: [(number: Int, text: String)] { numbered(lexed.lines(of: [.code, .string, .comment])) }

    /// Every line, numbered from 1, with strings and comments blank.
    var code: [(number: Int, text: String)] { numbered(lexed.lines(of: [.code])) }

    /// Every line, numbered from 1, with everything except comments blank.
    var comments: [(number: Int, text: String)] { numbered(lexed.lines(of: [.comment])) }

    /// Returns the numbers of the lines with more characters than `limit`. In a Swift file, a line with a string
    /// literal is exempt, because swift-format does not break literals, unless the line also has a comment.
    func wideLines(above limit: Int) -> [Int] {
        let lines = lexed.lines(of: [.code, .string, .comment])
        let wide = lines.indices.filter { lines[$0].utf8.count > limit && lines[$0].count > limit }
        guard path.hasSuffix(".swift"), !wide.isEmpty else { return wide.map { $0 + 1 } }
        let (literals, comments) = (lexed.lines(of: [.string]), lexed.lines(of: [.comment]))
        return wide.filter { isBlank(literals[$0]) || !isBlank(comments[$0]) }.map { $0 + 1 }
    }

    private func isBlank(_ line: String) -> Bool { line.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }

    private func numbered(_ lines: [String]) -> [(number: Int, text: String)] {
        lines.enumerated().map { (number: $0.offset + 1, text: $0.element) }
    }
}
