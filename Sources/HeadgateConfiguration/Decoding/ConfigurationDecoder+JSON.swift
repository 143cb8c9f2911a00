extension ConfigurationDecoder {
    /// Returns a node as compact JSON; nil after an issue. Plain scalars have the types of YAML's core schema, and
    /// quoted ones are strings.
    mutating func json(_ node: YAMLNode, in place: String) -> [UInt8]? {
        var output: [UInt8] = []
        return append(node, to: &output, in: place) ? output : nil
    }

    /// Appends a node as JSON. The recursion is bounded, because nodes are at most 64 levels deep.
    private mutating func append(_ node: YAMLNode, to output: inout [UInt8], in place: String) -> Bool {
        switch node.content {
        case .scalar(_, let isPlain):
            guard !node.isNull else {
                output += "null".utf8
                return true
            }
            let text = decode(node, in: place, as: "a value", echo: .nothing) { (text) throws(InvalidValue) in
                isPlain ? try CoreSchema.json(text) : JSONText.string(text)
            }
            output += (text ?? "").utf8
            return text != nil
        case .sequence(let items):
            var isComplete = true
            output.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                isComplete = append(item, to: &output, in: place) && isComplete
            }
            output.append(UInt8(ascii: "]"))
            return isComplete
        case .mapping(let entries):
            var isComplete = true
            output.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                output += "\(index > 0 ? "," : "")\(JSONText.string(entry.key)):".utf8
                isComplete = append(entry.value, to: &output, in: place) && isComplete
            }
            output.append(UInt8(ascii: "}"))
            return isComplete
        case .refused:
            return false
        }
    }
}
