/// Properties of a programming language for basic highlighting.
struct CodeLanguage: Sendable {
    /// A part of the code with its own end: a string or a comment.
    struct Span: Sendable {
        let opening: [Unicode.Scalar]
        /// Characters that end the span; nil for the end of the line.
        let closing: [Unicode.Scalar]?
        let style: TextStyle
        /// Character that makes the next one a part of the span.
        var escape: Unicode.Scalar?
        var isOfSeveralLines = false
        /// Whether the span begins only after a space, or at the beginning of a line.
        var needsSpace = false
    }

    /// Keywords, in lower case if the language ignores case.
    let keywords: Set<String>
    let spans: [Span]
    var ignoresCase = false
    /// Characters of words in addition to letters, digits and `_`.
    var wordCharacters: Set<Unicode.Scalar> = []
    /// Whether the text is a diff, in which the first character determines the style of a line.
    var isDifference = false
    /// Length of the longest keyword in characters.
    let longestKeyword: Int

    init(_ keywords: String, _ spans: [Span]...) {
        let words = keywords.split(separator: " ").map { String($0) }
        self.keywords = Set(words)
        self.spans = spans.flatMap { $0 }
        longestKeyword = words.map(\.unicodeScalars.count).max() ?? 0
    }
}

extension CodeLanguage.Span {
    static func lineComment(_ opening: String, needsSpace: Bool = false) -> CodeLanguage.Span {
        CodeLanguage.Span(
            opening: Array(opening.unicodeScalars), closing: nil, style: .dim, needsSpace: needsSpace)
    }

    static func comment(_ opening: String, _ closing: String) -> CodeLanguage.Span {
        CodeLanguage.Span(
            opening: Array(opening.unicodeScalars), closing: Array(closing.unicodeScalars), style: .dim,
            isOfSeveralLines: true)
    }

    /// - Parameter escape: Escape character; nil for a raw string.
    static func string(
        _ mark: String, escape: Unicode.Scalar? = "\\", isOfSeveralLines: Bool = false
    ) -> CodeLanguage.Span {
        CodeLanguage.Span(
            opening: Array(mark.unicodeScalars), closing: Array(mark.unicodeScalars), style: .string, escape: escape,
            isOfSeveralLines: isOfSeveralLines)
    }

    /// A markup tag with everything in it.
    static let tag = CodeLanguage.Span(opening: ["<"], closing: [">"], style: .keyword, isOfSeveralLines: true)
}
