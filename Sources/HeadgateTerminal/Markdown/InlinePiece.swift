/// The next piece of a line's content, recognized with as little text as possible.
///
/// Emphasis, code and links are recognized when they are closed, in the same line and within ``window``. Anything that
/// is never closed is plain text, so no character of a reply is lost.
enum InlinePiece: Equatable {
    /// A number of literal characters.
    case literal(Int)
    /// The character after a backslash.
    case escaped
    /// Ranges inside the markers; `length` includes the markers.
    case code(Range<Int>, length: Int)
    case styled(TextStyle, Range<Int>, length: Int)
    case link(text: Range<Int>, address: Range<Int>, length: Int)

    /// Maximum number of held characters.
    static let window = 240

    /// - Parameters:
    ///   - text: Text that begins with the piece; not empty.
    ///   - previous: Previous character in the line; nil at the beginning.
    init(
        readingFrom text: Lookahead, after previous: Unicode.Scalar?
    ) throws {
        self =
            switch try text.scalar(at: 0) {
            case "\\": try text.scalar(at: 1)?.isASCIIPunctuation == true ? .escaped : .literal(1)
            case "`": try InlinePiece.code(in: text)
            case "*", "_", "~": try InlinePiece.emphasis(in: text, after: previous)
            case "[": try InlinePiece.link(in: text, at: 0) ?? .literal(1)
            case "!": try text.scalar(at: 1) == "[" ? try InlinePiece.link(in: text, at: 1) ?? .literal(1) : .literal(1)
            default: .literal(1)
            }
    }

    private static func code(in text: Lookahead) throws -> InlinePiece {
        let run = try text.run(at: 0)
        guard let end = try endOfCode(in: text, from: 0) else { return .literal(run) }
        var content = run..<end - run
        // One space on each side is padding for content that begins or ends with a backtick.
        let isPadded = try text.scalar(at: content.lowerBound) == " " && text.scalar(at: content.upperBound - 1) == " "
        if isPadded, try text.blanks(at: content.lowerBound) < content.count {
            content = content.lowerBound + 1..<content.upperBound - 1
        }
        return .code(content, length: end)
    }

    /// Returns the offset after the backticks that close those at the given offset; nil if there are none.
    private static func endOfCode(in text: Lookahead, from start: Int) throws -> Int? {
        let opening = try text.run(at: start)
        var offset = start + opening
        while let scalar = try text.scalar(at: offset) {
            guard scalar == "`" else {
                offset += 1
                continue
            }
            let closing = try text.run(at: offset)
            offset += closing
            if closing == opening { return offset }
        }
        return nil
    }

    private static func emphasis(
        in text: Lookahead, after previous: Unicode.Scalar?
    ) throws -> InlinePiece {
        let marker = try text.scalar(at: 0)
        let run = try text.run(at: 0)
        let literal = InlinePiece.literal(run)
        guard run <= 3, marker != "~" || run == 2 else { return literal }
        guard let next = try text.scalar(at: run), !next.isSpace else { return literal }
        if let previous, previous.isWordCharacter, marker == "_" || next.isPunctuation { return literal }
        var offset = run
        while let scalar = try text.scalar(at: offset) {
            switch scalar {
            case "\\": offset += 2
            case "`": offset = try endOfCode(in: text, from: offset) ?? offset + text.run(at: offset)
            case marker:
                let closing = try text.run(at: offset)
                // Three markers close one and leave two inside, or the other way round.
                if closing == run || closing == 3, try canClose(text, at: offset, closing, marker) {
                    let style: TextStyle =
                        marker == "~" ? .struck : run == 1 ? .italic : run == 2 ? .bold : [.bold, .italic]
                    return .styled(style, run..<offset + closing - run, length: offset + closing)
                }
                offset += closing
            default: offset += 1
            }
        }
        return literal
    }

    private static func canClose(
        _ text: Lookahead, at offset: Int, _ length: Int, _ marker: Unicode.Scalar?
    ) throws -> Bool {
        guard let before = try text.scalar(at: offset - 1), !before.isSpace else { return false }
        guard let after = try text.scalar(at: offset + length), after.isWordCharacter else { return true }
        return marker != "_" && !before.isPunctuation
    }

    /// Returns a link, `[text](address "title")`, with its bracket at the offset; nil if there is none.
    private static func link(in text: Lookahead, at start: Int) throws -> InlinePiece? {
        guard let close = try closing("]", of: "[", in: text, at: start) else { return nil }
        guard try text.scalar(at: close + 1) == "(" else { return nil }
        guard let end = try closing(")", of: "(", in: text, at: close + 1) else { return nil }
        var address = close + 2
        while address < end, try text.scalar(at: address) != " " { address += 1 }
        guard address > close + 2 else { return nil }
        return .link(text: start + 1..<close, address: close + 2..<address, length: end + 1)
    }

    private static func closing(
        _ close: Unicode.Scalar, of open: Unicode.Scalar, in text: Lookahead, at start: Int
    ) throws -> Int? {
        var depth = 0
        var offset = start
        while let scalar = try text.scalar(at: offset) {
            switch scalar {
            case "\\": offset += 1
            case "`" where open == "[":
                offset = try endOfCode(in: text, from: offset) ?? offset + text.run(at: offset)
                continue
            case open: depth += 1
            case close:
                depth -= 1
                if depth == 0 { return offset }
            default: break
            }
            offset += 1
        }
        return nil
    }
}
