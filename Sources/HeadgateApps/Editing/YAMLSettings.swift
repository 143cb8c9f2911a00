import HeadgateConfiguration

/// Entries of a YAML settings file: keys of its outermost mapping, or items of a list.
package struct YAMLSettings: Sendable {
    package enum Place: Sendable {
        /// Keys with scalars, at the end of the file.
        case keys([TOMLSettings.Pair])
        /// An item of the list under a key. The member `identity` distinguishes it from other items.
        case item([String], under: String, identity: String)
        /// An item of a file that consists of one list.
        case rootItem([String], identity: String)
    }

    let place: Place
    /// The first lines of a new file.
    let heading: [String]

    /// - Parameter place: The place of the entries. The lines of an item are those of its mapping, without indentation.
    package init(_ place: Place, heading: [String] = []) { (self.place, self.heading) = (place, heading) }

    func applying(to text: String, app: String) throws(EditRefusal) -> String {
        var lines = try MarkedLines(text).original
        let ending = TextLines.ending(of: text)
        if TextLines.trimmed(lines.joined()).isEmpty { lines = heading.map { $0 + ending } }
        if let last = lines.last, last.utf8.last != 0x0A { lines[lines.count - 1] = last + ending }
        let outline = try YAMLSettings.outline(lines.joined())
        switch place {
        case .keys(let pairs):
            try YAMLSettings.require(outline.root, .mapping, "settings", lines)
            for pair in pairs { try setAside(pair.key, outline, &lines) }
            let block = pairs.map { "\($0.key): \($0.value.json(unit: "", outer: "", ending: "\n"))" }
            lines += MarkedLines.block(block, app: app, ending: ending)
        case .item(let item, let key, let identity):
            try YAMLSettings.require(outline.root, .mapping, "settings", lines)
            try insert(item, under: key, identity, outline, &lines, app, ending)
        case .rootItem(let item, let identity):
            try YAMLSettings.require(outline.root, .sequence, "a list", lines)
            try YAMLSettings.checkAbsent(item, identity, outline.root)
            let hasItems = outline.root.shape == .sequence
            let indentation = hasItems ? YAMLSettings.spaces(outline.root.column - 1) : ""
            let block = YAMLSettings.block(item, indentation, app, ending)
            lines.insert(contentsOf: block, at: hasItems ? outline.root.line - 1 : lines.count)
        }
        let result = lines.joined()
        // Markers inside a block scalar, or keys after the end of the document, would have another meaning.
        guard let edited = try? YAMLOutline(result), holdsEntries(edited) else {
            throw EditRefusal("has a layout that setup does not edit")
        }
        return result
    }

    private func insert(
        _ item: [String], under key: String, _ identity: String, _ outline: YAMLOutline, _ lines: inout [String],
        _ app: String, _ ending: String
    ) throws(EditRefusal) {
        guard let entry = outline.entries.last(where: { $0.key == key }) else {
            let block = ["\(key):"] + YAMLSettings.listed(item).map { "  " + $0 }
            lines += MarkedLines.block(block, app: app, ending: ending)
            return
        }
        guard [.sequence, .empty].contains(entry.value.shape), isBare(lines[entry.line - 1], key) else {
            throw EditRefusal("has a value of '\(key)' at line \(entry.line) that is not a list of lines with dashes")
        }
        try YAMLSettings.checkAbsent(item, identity, entry.value)
        let column = entry.value.shape == .sequence ? entry.value.column - 1 : 2
        lines.insert(
            contentsOf: YAMLSettings.block(item, YAMLSettings.spaces(column), app, ending), at: entry.line)
    }

    /// Returns whether the line has nothing but the key, and possibly a comment.
    private func isBare(_ line: String, _ key: String) -> Bool {
        let line = TextLines.trimmed(line)
        guard TextLines.begins(line, with: key + ":") else { return false }
        let rest = TextLines.trimmed(String(line.dropFirst(key.count + 1)))
        return rest.isEmpty || TextLines.begins(rest, with: "#")
    }

    /// Turns the line that sets the key into a comment.
    private func setAside(_ key: String, _ outline: YAMLOutline, _ lines: inout [String]) throws(EditRefusal) {
        for (index, entry) in outline.entries.enumerated() where entry.key == key {
            let end = index + 1 < outline.entries.count ? outline.entries[index + 1].line : lines.count + 1
            let rest = lines[entry.line..<max(entry.line, end - 1)].map(TextLines.trimmed)
            let isOneLine = rest.allSatisfy { $0.isEmpty || TextLines.begins($0, with: "#") }
            guard isOneLine, TextLines.begins(lines[entry.line - 1], with: key) else {
                throw EditRefusal("sets '\(key)' at line \(entry.line) over several lines: remove it first")
            }
            lines[entry.line - 1] = MarkedLines.settingAside(lines[entry.line - 1])
        }
    }

    private func holdsEntries(_ outline: YAMLOutline) -> Bool {
        switch place {
        case .keys(let pairs): pairs.allSatisfy { pair in outline.entries.contains { $0.key == pair.key } }
        case .item(let item, let key, let identity):
            outline.entries.contains { $0.key == key && YAMLSettings.holds(item, identity, $0.value) }
        case .rootItem(let item, let identity): YAMLSettings.holds(item, identity, outline.root)
        }
    }

    // MARK: Items

    private static func holds(_ item: [String], _ identity: String, _ list: YAMLOutline.Value) -> Bool {
        list.items.contains { $0[identity].map { item.contains("\(identity): \(SettingsValue.literal($0))") } ?? false }
    }

    private static func checkAbsent(
        _ item: [String], _ identity: String, _ list: YAMLOutline.Value
    ) throws(EditRefusal) {
        guard holds(item, identity, list) else { return }
        let line = item.first { $0.hasPrefix(identity + ":") } ?? identity
        throw EditRefusal("has an entry with '\(line)' that setup did not write: remove it first")
    }

    private static func block(_ item: [String], _ indentation: String, _ app: String, _ ending: String) -> [String] {
        MarkedLines.block(listed(item), app: app, indentation: indentation, ending: ending)
    }

    /// Returns the lines of a mapping as an item of a list.
    private static func listed(_ item: [String]) -> [String] {
        item.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private static func outline(_ text: String) throws(EditRefusal) -> YAMLOutline {
        do throws(YAMLOutline.Fault) {
            return try YAMLOutline(text)
        } catch {
            throw EditRefusal("is not valid YAML at line \(error.line) (\(error.reason))")
        }
    }

    /// Rejects a root of another shape, and one in brackets, to which lines cannot be added.
    private static func require(
        _ root: YAMLOutline.Value, _ shape: YAMLOutline.Shape, _ name: String, _ lines: [String]
    ) throws(EditRefusal) {
        if root.shape == .empty { return }
        let line = Array(lines[root.line - 1].utf8)
        let first = line.dropFirst(root.column - 1).first
        guard root.shape == shape, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else {
            throw EditRefusal("does not hold \(name) as lines at line \(root.line)")
        }
    }
}
