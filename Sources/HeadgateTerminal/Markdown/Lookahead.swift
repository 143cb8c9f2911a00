/// The unclassified part of a line, which can continue.
struct Lookahead {
    /// Thrown if a decision needs more characters.
    struct NeedsMore: Error {}

    private let text: ArraySlice<Unicode.Scalar>
    /// Whether the line has no further characters.
    private let isWhole: Bool

    init(_ text: ArraySlice<Unicode.Scalar>, isWhole: Bool) {
        self.text = text
        self.isWhole = isWhole
    }

    /// Creates a view with a maximum length. Undecided content is classified as if the line ended there, so the result
    /// does not depend on the fragmentation of the text.
    init(_ text: ArraySlice<Unicode.Scalar>, isWhole: Bool, window: Int) {
        self.init(text.prefix(window), isWhole: isWhole || text.count >= window)
    }

    /// - Returns: Nil after the end.
    func scalar(at offset: Int) throws -> Unicode.Scalar? {
        let index = text.startIndex + offset
        if index < text.endIndex { return text[index] }
        guard isWhole else { throw NeedsMore() }
        return nil
    }

    /// Returns the length of the run of the character at the offset.
    func run(at offset: Int) throws -> Int {
        guard let marker = try scalar(at: offset) else { return 0 }
        var end = offset + 1
        while try scalar(at: end) == marker { end += 1 }
        return end - offset
    }

    /// Returns the number of spaces and tabs from the offset.
    func blanks(at offset: Int) throws -> Int {
        var end = offset
        while let scalar = try scalar(at: end), scalar == " " || scalar == "\t" { end += 1 }
        return end - offset
    }
}

extension Unicode.Scalar {
    var isWordCharacter: Bool { properties.isAlphabetic || properties.numericType != nil }

    var isSpace: Bool { properties.isWhitespace }

    var isPunctuation: Bool {
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            true
        default: false
        }
    }

    var isASCIIPunctuation: Bool { value > 0x20 && value < 0x7F && !isWordCharacter }
}
