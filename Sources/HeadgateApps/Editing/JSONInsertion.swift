import JSONBytes

/// Adds values to a JSON document in the document's own style.
struct JSONInsertion {
    private let document: [UInt8]
    private let tree: JSONTree
    private let ending: String

    init(_ document: [UInt8], _ tree: JSONTree) {
        self.document = document
        self.tree = tree
        ending = document.contains(0x0D) ? "\r\n" : "\n"
    }

    /// Returns the document with one more member or element, the last of its container.
    func adding(_ value: SettingsValue, _ step: JSONStep, to container: JSONTree.Node) -> [UInt8] {
        let close = container.range.upperBound - 1
        let last = container.children?.last
        let start = last?.range.upperBound ?? container.range.lowerBound + 1
        let place = end(ofTextIn: start..<close) ?? start
        let comma = tree.plain[start..<close].firstIndex(of: UInt8(ascii: ","))
        let outer = indentation(at: container.range.lowerBound)
        let inner = last.flatMap { ownIndentation(at: $0.range.lowerBound) } ?? outer + unit

        var text = ending + inner
        if case .member(let name) = step { text += SettingsValue.literal(name) + ": " }
        text += value.json(unit: unit, outer: inner, ending: ending)
        if last != nil, comma != nil { text += "," }
        if !document[place..<close].contains(0x0A) { text += ending + outer }
        var edits = [JSONEdit(place..<place, Array(text.utf8))]
        if last != nil, comma == nil { edits.insert(JSONEdit(start..<start, [UInt8(ascii: ",")]), at: 0) }
        return document.withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
    }

    /// Returns a value as the document would contain it at an offset.
    func rendered(_ value: SettingsValue, at offset: Int) -> String {
        value.json(unit: unit, outer: indentation(at: offset), ending: ending)
    }

    /// Returns the offset after the last byte that is not white space; nil if there is none.
    private func end(ofTextIn range: Range<Int>) -> Int? {
        document[range].lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { $0 + 1 }
    }

    /// Returns the white space at the beginning of the line that contains an offset.
    private func indentation(at offset: Int) -> String {
        let start = document[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return String(decoding: document[start...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
    }

    /// Returns the white space before an offset if only white space precedes it on its line; nil otherwise.
    private func ownIndentation(at offset: Int) -> String? {
        let indentation = indentation(at: offset)
        let start = offset - indentation.utf8.count
        return start == 0 || document[start - 1] == 0x0A ? indentation : nil
    }

    /// One level of indentation: that of the first value in the root that begins a line.
    private var unit: String {
        for child in tree.root.children ?? [] {
            if let indentation = ownIndentation(at: child.range.lowerBound), !indentation.isEmpty { return indentation }
        }
        return "  "
    }
}
