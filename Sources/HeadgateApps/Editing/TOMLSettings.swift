/// Entries of a TOML settings file: keys at its top, and one table at its end.
package struct TOMLSettings: Sendable {
    package typealias Pair = (key: String, value: SettingsValue)

    let keys: [Pair]
    /// The dotted name of the table.
    let table: String
    let members: [Pair]

    package init(keys: [Pair], table: String, members: [Pair]) {
        (self.keys, self.table, self.members) = (keys, table, members)
    }

    func applying(to text: String, app: String) throws(EditRefusal) -> String {
        var lines = try MarkedLines(text).original
        let ending = TextLines.ending(of: text)
        lines = try settingAside(lines)
        if let last = lines.last, last.utf8.last != 0x0A { lines[lines.count - 1] = last + ending }
        let top = MarkedLines.block(keys.map(TOMLSettings.line), app: app, ending: ending)
        let bottom = MarkedLines.block(
            ["[\(table)]"] + members.map(TOMLSettings.line), app: app, ending: ending)
        return (top + lines + bottom).joined()
    }

    private static func line(_ pair: Pair) -> String {
        "\(pair.key) = \(pair.value.json(unit: "  ", outer: "", ending: "\n"))"
    }

    /// Returns the lines with everything that the entries replace turned into comments.
    private func settingAside(_ lines: [String]) throws(EditRefusal) -> [String] {
        let outline = try TOMLOutline(lines)
        var lines = lines
        var place: String?
        for (index, line) in outline.lines.enumerated() {
            switch line {
            case .table(let name): place = name
            case .key(let name, let isWhole):
                if place == nil, keys.contains(where: { $0.key == name }) {
                    guard isWhole else { throw conflict(name, index) }
                    lines[index] = MarkedLines.settingAside(lines[index])
                    continue
                }
                let full = place.map { "\($0).\(name)" } ?? name
                let isInside = full == table || full.hasPrefix(table + ".") || table.hasPrefix(full + ".")
                if isInside, place != table, place?.hasPrefix(table + ".") != true { throw conflict(full, index) }
            case .other: break
            }
            if let place, place == table || place.hasPrefix(table + ".") {
                lines[index] = MarkedLines.settingAside(lines[index])
            }
        }
        return lines
    }

    private func conflict(_ key: String, _ index: Int) -> EditRefusal {
        EditRefusal("sets '\(key)' at line \(index + 1) in a form that setup does not edit: remove it first")
    }
}
