import JSONBytes

/// Removes values from a JSON document, each with the comma that it needed.
struct JSONRemoval {
    private let document: [UInt8]
    private let tree: JSONTree

    init(_ document: [UInt8], _ tree: JSONTree) { (self.document, self.tree) = (document, tree) }

    /// Returns the document without one child of a container. Comments stay.
    func removing(_ index: Int, of container: JSONTree.Node) -> [UInt8] {
        guard let children = container.children else { return document }
        let child = children[index].range
        let close = container.range.upperBound - 1
        let previous = index > 0 ? children[index - 1].range.upperBound : container.range.lowerBound + 1
        let isLast = index == children.count - 1
        let next = isLast ? close : children[index + 1].range.lowerBound
        let own = comma(in: child.upperBound..<next)

        // White space before the child is removed with it; a comment before it stays.
        let start = document[previous..<child.lowerBound].lastIndex { !isSpace($0) }.map { $0 + 1 } ?? previous
        let end = own.map { $0 + 1 } ?? child.upperBound
        var range = lineBreak(after: start, before: child.lowerBound, ifNeededAt: end)..<end
        if children.count == 1, document[range.upperBound..<close].allSatisfy(isSpace),
            start == container.range.lowerBound + 1
        {
            range = start..<close
        }
        var edits = [JSONEdit(range, [])]
        // The comma before the last child separated it from the previous one.
        if isLast, own == nil, index > 0, let separator = comma(in: previous..<child.lowerBound) {
            let edit = JSONEdit(separator..<separator + 1, [])
            edits = separator + 1 == start ? [JSONEdit(separator..<range.upperBound, [])] : [edit] + edits
        }
        return document.withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
    }

    /// Returns the start of a removal.
    ///
    /// It is after the line break if a comment before it would otherwise include what follows.
    private func lineBreak(after start: Int, before child: Int, ifNeededAt end: Int) -> Int {
        let isComment = start > 0 && tree.plain[start - 1] == 0x20 && document[start - 1] != 0x20
        guard isComment, end < document.count, document[end] != 0x0A, document[end] != 0x0D else { return start }
        return document[start..<child].firstIndex(of: 0x0A).map { $0 + 1 } ?? start
    }

    private func comma(in range: Range<Int>) -> Int? { tree.plain[range].firstIndex(of: UInt8(ascii: ",")) }

    private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
