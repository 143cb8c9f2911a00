/// Content of a Markdown line as styled characters.
struct InlineText: Sendable {
    /// Last character read in this line.
    private var previous: Unicode.Scalar?

    /// Returns the styled characters of a complete text.
    static func styled(_ text: ArraySlice<Unicode.Scalar>, _ style: TextStyle = []) -> [StyledCharacter] {
        var inline = InlineText()
        var characters: [StyledCharacter] = []
        _ = inline.read(text, style, isWhole: true, to: &characters)
        return characters
    }

    /// Reads as much as is certain.
    ///
    /// - Parameter isWhole: Whether the text is complete.
    /// - Returns: Number of characters that were read.
    mutating func read(
        _ text: ArraySlice<Unicode.Scalar>, _ style: TextStyle, isWhole: Bool, to output: inout [StyledCharacter]
    ) -> Int {
        var rest = text
        while !rest.isEmpty {
            let view = Lookahead(rest, isWhole: isWhole, window: InlinePiece.window)
            guard let piece = try? InlinePiece(readingFrom: view, after: previous) else { break }
            rest = rest.dropFirst(add(piece, of: rest, style, to: &output))
        }
        return rest.startIndex - text.startIndex
    }

    /// - Returns: Length of the piece.
    private mutating func add(
        _ piece: InlinePiece, of text: ArraySlice<Unicode.Scalar>, _ style: TextStyle,
        to output: inout [StyledCharacter]
    ) -> Int {
        func part(_ range: Range<Int>) -> ArraySlice<Unicode.Scalar> {
            text[text.startIndex + range.lowerBound..<text.startIndex + range.upperBound]
        }
        func styled(_ scalars: some Sequence<Unicode.Scalar>, _ style: TextStyle) -> [StyledCharacter] {
            scalars.map { StyledCharacter($0, style) }
        }
        switch piece {
        case .literal(let count):
            output += styled(part(0..<count), style)
            previous = text[text.startIndex + count - 1]
            return count
        case .escaped:
            output += styled(part(1..<2), style)
            previous = text[text.startIndex + 1]
            return 2
        case .code(let content, let length):
            output += styled(part(content), style.union(.code))
            previous = "`"
            return length
        case .styled(let more, let content, let length):
            previous = nil
            _ = read(part(content), style.union(more), isWhole: true, to: &output)
            previous = text[text.startIndex + length - 1]
            return length
        case .link(let content, let address, let length):
            previous = nil
            _ = read(part(content), style.union(.underlined), isWhole: true, to: &output)
            if !part(content).elementsEqual(part(address)) {
                let aside = style.union(.dim)
                output += StyledCharacter.all(of: " (", aside) + styled(part(address), aside)
                output.append(StyledCharacter(")", aside))
            }
            previous = ")"
            return length
        }
    }
}
