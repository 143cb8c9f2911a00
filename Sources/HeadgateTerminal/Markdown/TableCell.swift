/// Content of a table cell.
struct TableCell: Sendable {
    /// A character with its combining marks, or an emoji of several characters.
    private struct Cluster {
        var characters: [StyledCharacter]
        var width: Int

        var isSpace: Bool { characters.first?.scalar == " " }
    }

    static let empty = TableCell([], [])

    /// Lines of the cell's text, which each `<br>` separates.
    private let lines: [[Cluster]]
    /// Columns of the longest line.
    let width: Int

    init(_ text: ArraySlice<Unicode.Scalar>, _ style: TextStyle) {
        lines = TableCell.parts(of: text).map { TableCell.clusters(InlineText.styled($0, style)) }
        width = lines.map { $0.reduce(0) { $0 + $1.width } }.max() ?? 0
    }

    /// Creates a cell from all cells that are not empty, one below the other.
    init(joining cells: some Collection<TableCell>) {
        lines = cells.filter { $0.width > 0 }.flatMap(\.lines)
        width = cells.map(\.width).max() ?? 0
    }

    /// The text in one line.
    var characters: [StyledCharacter] {
        Array(lines.map { $0.flatMap(\.characters) }.joined(separator: [StyledCharacter(" ", [])]))
    }

    /// Returns the lines of the cell in a number of columns, with their widths. Lines are broken between words if
    /// possible.
    func lines(within limit: Int) -> [(characters: [StyledCharacter], width: Int)] {
        lines.flatMap { TableCell.broken($0, limit) }.map { line in
            (line.flatMap(\.characters), line.reduce(0) { $0 + $1.width })
        }
    }

    private static func broken(_ text: [Cluster], _ limit: Int) -> [[Cluster]] {
        var lines: [[Cluster]] = []
        var line: [Cluster] = []
        var width = 0
        for cluster in text {
            if width + cluster.width > limit, !line.isEmpty {
                // The line is broken after the last space or wide character. Otherwise the word is too long for a line.
                let end = cluster.isSpace || cluster.width == 2 ? nil : line.lastIndex { $0.isSpace || $0.width == 2 }
                let next = end.map { $0 + 1 } ?? line.count
                lines.append(withoutLastSpaces(line[..<next]))
                line = Array(line[next...])
                width = line.reduce(0) { $0 + $1.width }
            }
            if cluster.isSpace, line.isEmpty, !lines.isEmpty { continue }
            line.append(cluster)
            width += cluster.width
        }
        return lines + [withoutLastSpaces(line[...])]
    }

    private static func withoutLastSpaces(_ line: ArraySlice<Cluster>) -> [Cluster] {
        guard let last = line.lastIndex(where: { !$0.isSpace }) else { return [] }
        return Array(line[...last])
    }

    /// Returns the characters as they are shown, because their widths must be exact.
    private static func clusters(_ characters: [StyledCharacter]) -> [Cluster] {
        var clusters: [Cluster] = []
        var width = DisplayWidth()
        for character in characters {
            let scalar: Unicode.Scalar = character.scalar.isSpace ? " " : character.scalar
            guard let safe = Neutralised.scalar(scalar) else { continue }
            let more = width.advance(safe)
            // Variation selectors and skin tones can widen the previous character.
            let belongs = more == 0 || safe.value == 0xFE0F || (0x1F3FB...0x1F3FF).contains(safe.value)
            if clusters.isEmpty || !belongs {
                clusters.append(Cluster(characters: [], width: 0))
            }
            clusters[clusters.count - 1].characters.append(StyledCharacter(safe, character.style))
            clusters[clusters.count - 1].width += more
        }
        return clusters
    }

    private static let breaks = ["<br>", "<br/>", "<br />"].map { Array($0.unicodeScalars) }

    /// Returns the parts of a text between its line breaks.
    private static func parts(of text: ArraySlice<Unicode.Scalar>) -> [ArraySlice<Unicode.Scalar>] {
        var parts: [ArraySlice<Unicode.Scalar>] = []
        var (start, index) = (text.startIndex, text.startIndex)
        while index < text.endIndex {
            let mark = text[index] == "<" ? breaks.first { text[index...].starts(with: $0) } : nil
            index += mark?.count ?? 1
            guard let mark else { continue }
            parts.append(text[start..<index - mark.count])
            start = index
        }
        return parts + [text[start...]]
    }
}
