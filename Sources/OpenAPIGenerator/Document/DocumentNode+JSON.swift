extension DocumentNode {
    /// Returns the value as JSON.
    ///
    /// - Parameter depth: Number of levels of mappings with one line per member.
    func json(linesToDepth depth: Int) -> String {
        switch value {
        case .null: return "null"
        case .boolean(let flag): return "\(flag)"
        case .number(let text): return text
        case .string(let text): return SourceLiteral.quotedJSON(text)
        case .sequence(let items): return "[" + items.map { $0.json(linesToDepth: 0) }.joined(separator: ",") + "]"
        case .mapping(let members):
            let texts = members.map { "\(SourceLiteral.quotedJSON($0.key)):\($0.value.json(linesToDepth: depth - 1))" }
            return depth > 0 ? "{\n" + texts.joined(separator: ",\n") + "\n}" : "{" + texts.joined(separator: ",") + "}"
        }
    }
}
