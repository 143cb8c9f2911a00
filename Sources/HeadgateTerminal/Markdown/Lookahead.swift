/// The undecided part of a line, of which more may come.
struct Lookahead {
    /// Thrown when a decision has to wait for what comes next.
    struct NeedsMore: Error {}

    private let text: ArraySlice<Unicode.Scalar>
    /// Whether nothing further belongs to it.
    private let isWhole: Bool

    init(_ text: ArraySlice<Unicode.Scalar>, isWhole: Bool) {
        self.text = text
        self.isWhole = isWhole
    }

    /// A view that is never longer than this: what is not decided by then is decided as if the line ended there. So the
    /// decision is the same however the text was cut.
    init(_ text: ArraySlice<Unicode.Scalar>, isWhole: Bool, window: Int) {
        self.init(text.prefix(window), isWhole: isWhole || text.count >= window)
    }

    /// - Returns: nil behind the end.
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

    /// How many characters from the offset on are spaces, or tabs.
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
