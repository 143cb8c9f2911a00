/// Properties of a programming language for basic colouring.
struct CodeLanguage: Sendable {
    /// A part of the code that ends only with its own end: a string, a comment.
    struct Span: Sendable {
        let opening: [Unicode.Scalar]
        /// Nil for the end of the line.
        let closing: [Unicode.Scalar]?
        let style: TextStyle
        /// Makes the next character one of the span's own.
        var escape: Unicode.Scalar?
        var isOfSeveralLines = false
        /// Whether it begins only behind a space, or at the beginning of a line.
        var needsSpace = false
    }

    /// In small letters where case does not matter.
    let keywords: Set<String>
    let spans: [Span]
    var ignoresCase = false
    /// Characters of words besides letters, digits and `_`.
    var wordCharacters: Set<Unicode.Scalar> = []
    /// Changes instead of code: a line is what its first character says.
    var isDifference = false
    /// The longest keyword, in characters.
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

    /// - Parameter escape: nil for a raw one.
    static func string(
        _ mark: String, escape: Unicode.Scalar? = "\\", isOfSeveralLines: Bool = false
    ) -> CodeLanguage.Span {
        CodeLanguage.Span(
            opening: Array(mark.unicodeScalars), closing: Array(mark.unicodeScalars), style: .string, escape: escape,
            isOfSeveralLines: isOfSeveralLines)
    }

    /// A tag of markup with all that it holds.
    static let tag = CodeLanguage.Span(opening: ["<"], closing: [">"], style: .keyword, isOfSeveralLines: true)
}
