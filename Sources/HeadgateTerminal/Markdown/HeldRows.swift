/// Lines that begin with a bar, while it is open whether they are a table, and while more of it may come.
struct HeldRows: Sendable {
    /// Depth of quotes around them.
    private(set) var depth = 0
    /// A possible header.
    private var header: [Unicode.Scalar]?
    private var table: MarkdownTable?

    /// Adds a whole line.
    ///
    /// - Parameters:
    ///   - depth: as it was, unless nothing is held back.
    ///   - columns: the terminal's.
    /// - Returns: lines that can be shown now.
    mutating func add(_ line: ArraySlice<Unicode.Scalar>, depth: Int, columns: Int?) -> [[StyledCharacter]] {
        self.depth = depth
        let columns = room(in: columns)
        if table != nil { return table?.add(line, columns: columns) ?? [] }
        guard let first = header else {
            header = Array(line)
            return []
        }
        if let begun = MarkdownTable(header: first[...], separator: line) {
            (header, table) = (nil, begun)
            return []
        }
        // Without the line below a header, it is text.
        header = Array(line)
        return [InlineText.styled(first[...])]
    }

    /// Returns the held rows.
    mutating func take(columns: Int?) -> [[StyledCharacter]] {
        let columns = room(in: columns)
        defer { self = HeldRows() }
        if let header { return [InlineText.styled(header[...])] }
        return table?.take(columns: columns) ?? []
    }

    /// Continues after the held rows have been shown; a table can have more.
    mutating func resume(columns: Int?) {
        header = nil
        let columns = room(in: columns)
        _ = table?.take(columns: columns)
    }

    /// Beside the marks of the quotes.
    private func room(in columns: Int?) -> Int? { columns.map { max(0, $0 - 2 * depth) } }
}
