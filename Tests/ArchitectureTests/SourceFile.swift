/// One Swift file of the repository.
struct SourceFile {
    /// From the root: `Sources/JSONBytes/Scanner.swift`.
    let path: String
    let lineCount: Int
    private let lexed: Lexed

    init(path: String, text: String) {
        self.path = path
        lexed = Lexed(text)
        let newlines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        lineCount = newlines + (text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? 0 : 1)
    }

    /// The folder under `Sources` or `Tests`.
    var target: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    /// Whether a program wrote it.
    var isGenerated: Bool { path.split(separator: "/").contains("Generated") }

    /// Every line, numbered from 1, without strings and comments.
    var code: [(number: Int, text: String)] { numbered(lexed.lines(of: [.code])) }

    /// Every line, numbered from 1, with nothing but its comments.
    var comments: [(number: Int, text: String)] { numbered(lexed.lines(of: [.comment])) }

    private func numbered(_ lines: [String]) -> [(number: Int, text: String)] {
        lines.enumerated().map { (number: $0.offset + 1, text: $0.element) }
    }
}
