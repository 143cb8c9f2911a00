/// A JSON value whose members keep their order.
indirect enum SchemaValue {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([SchemaValue])
    case members([(String, SchemaValue)])

    static func texts(_ texts: [String]) -> SchemaValue { .list(texts.map(SchemaValue.text)) }

    /// Returns the value as JSON with two spaces per level. Lists of plain values stay on one line.
    func indented(_ margin: String = "") -> String {
        switch self {
        case .text(let text): JSONText.string(text)
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let items):
            items.allSatisfy(\.isPlain)
                ? "[\(items.map { $0.indented() }.joined(separator: ", "))]"
                : Self.block("[", items.map { $0.indented(margin + "  ") }, "]", margin)
        case .members(let members):
            members.isEmpty
                ? "{}"
                : Self.block(
                    "{", members.map { "\(JSONText.string($0)): \($1.indented(margin + "  "))" }, "}", margin)
        }
    }

    private var isPlain: Bool {
        switch self {
        case .text, .number, .flag: true
        case .list, .members: false
        }
    }

    private static func block(_ start: String, _ lines: [String], _ end: String, _ margin: String) -> String {
        "\(start)\n\(margin)  \(lines.joined(separator: ",\n\(margin)  "))\n\(margin)\(end)"
    }
}
