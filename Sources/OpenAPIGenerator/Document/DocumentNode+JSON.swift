extension DocumentNode {
    /// The same value as JSON.
    ///
    /// - Parameter depth: how many levels of mappings put each member on a line of its own.
    func json(linesToDepth depth: Int) -> String {
        switch value {
        case .null: return "null"
        case .boolean(let flag): return "\(flag)"
        case .number(let text): return text
        case .string(let text): return DocumentNode.quoted(text)
        case .sequence(let items): return "[" + items.map { $0.json(linesToDepth: 0) }.joined(separator: ",") + "]"
        case .mapping(let members):
            let texts = members.map { "\(DocumentNode.quoted($0.key)):\($0.value.json(linesToDepth: depth - 1))" }
            return depth > 0 ? "{\n" + texts.joined(separator: ",\n") + "\n}" : "{" + texts.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
