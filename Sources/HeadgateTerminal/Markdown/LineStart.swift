/// Kind of a line, recognized by as few characters as possible.
enum LineStart: Equatable {
    /// The beginning of a code block. It takes the whole line, which is shown.
    case fence(Fence)
    case closingFence
    /// Code, which is shown unchanged.
    case code
    /// A heading; `length` is the number of characters that are not shown.
    case heading(level: Int, length: Int)
    case quote(length: Int)
    case bullet(indentation: Int, length: Int)
    case numbered
    case rule
    /// A possible table row, which the line below confirms.
    case tableRow
    case blank
    case paragraph

    /// Opening fence of a code block.
    struct Fence: Equatable {
        let marker: Unicode.Scalar
        let count: Int
        let indentation: Int
        /// Depth of the quotes around the block.
        var depth = 0
    }

    /// Classifies a line outside of a fenced block.
    ///
    /// - Parameter allowsIndentedCode: Whether four spaces begin code.
    init(readingFrom text: Lookahead, allowsIndentedCode: Bool) throws {
        let indentation = try text.blanks(at: 0)
        guard let first = try text.scalar(at: indentation) else {
            self = .blank
            return
        }
        if allowsIndentedCode, try indentation >= 4 || indentation > 0 && text.scalar(at: 0) == "\t" {
            self = .code
            return
        }
        self =
            switch first {
            case "#": try LineStart.heading(text, indentation)
            case "`", "~": try LineStart.fence(text, indentation, first)
            case ">": .quote(length: indentation + (try text.scalar(at: indentation + 1) == " " ? 2 : 1))
            case "-", "*", "+", "_": try LineStart.bulletOrRule(text, indentation, first)
            case "|": .tableRow
            case "0"..."9": try LineStart.numbered(text, indentation)
            default: .paragraph
            }
    }

    /// Classifies a line in a fenced block.
    init(readingFrom text: Lookahead, inside fence: Fence) throws {
        self = .code
        var offset = 0
        while try text.scalar(at: offset) == " ", offset < fence.indentation + 4 { offset += 1 }
        guard offset <= fence.indentation + 3, try text.scalar(at: offset) == fence.marker else { return }
        let count = try text.run(at: offset)
        guard count >= fence.count else { return }
        let end = try offset + count + text.blanks(at: offset + count)
        if try text.scalar(at: end) == nil { self = .closingFence }
    }

    private static func heading(_ text: Lookahead, _ offset: Int) throws -> LineStart {
        let level = try text.run(at: offset)
        guard level <= 6, let next = try text.scalar(at: offset + level), next == " " else { return .paragraph }
        return .heading(level: level, length: offset + level + (try text.blanks(at: offset + level)))
    }

    private static func fence(
        _ text: Lookahead, _ offset: Int, _ marker: Unicode.Scalar
    ) throws -> LineStart {
        let count = try text.run(at: offset)
        guard count >= 3 else { return .paragraph }
        var end = offset + count
        while let scalar = try text.scalar(at: end) {
            // A backtick later in the line means that this is inline code.
            if scalar == "`", marker == "`" { return .paragraph }
            end += 1
        }
        return .fence(Fence(marker: marker, count: count, indentation: offset))
    }

    private static func bulletOrRule(
        _ text: Lookahead, _ offset: Int, _ marker: Unicode.Scalar
    ) throws -> LineStart {
        let isBullet = try marker != "_" && text.scalar(at: offset + 1) == " "
        if marker != "+" {
            var (end, markers) = (offset, 0)
            while let scalar = try text.scalar(at: end), scalar == marker || scalar == " " {
                if scalar == marker { markers += 1 }
                end += 1
            }
            if try text.scalar(at: end) == nil, markers >= 3 { return .rule }
        }
        return isBullet ? .bullet(indentation: offset, length: offset + 2) : .paragraph
    }

    private static func numbered(_ text: Lookahead, _ offset: Int) throws -> LineStart {
        var end = offset
        while let scalar = try text.scalar(at: end), ("0"..."9").contains(scalar), end < offset + 9 { end += 1 }
        guard let dot = try text.scalar(at: end), dot == "." || dot == ")" else { return .paragraph }
        return try text.scalar(at: end + 1) == " " ? .numbered : .paragraph
    }
}
