import Testing

@testable import HeadgateConfiguration

/// A key of the example file, and the part of the schema about it.
struct ExampleKey {
    let name: String
    let position: SourcePosition
    /// Line at which the surrounding mapping begins: the line of the mapping's own key, or of its item.
    let mappingLine: Int
    /// Schema of the key's value.
    let schema: [String: Any]
    /// Whether Headgate defines the name, rather than the user.
    let isDeclared: Bool

    /// Returns every key of the tree, found by walking it in parallel with the schema.
    static func all(of text: String, schema: JSONSchema) throws -> [ExampleKey] {
        var issues = IssueList(file: "t.yaml")
        let root = try #require(YAMLComposer.compose(Array(text.utf8), issues: &issues))
        var keys: [ExampleKey] = []
        collect(root, begunAt: 1, schema.document, schema, into: &keys)
        return keys
    }

    private static func collect(
        _ node: YAMLNode, begunAt line: Int, _ schema: [String: Any], _ whole: JSONSchema, into keys: inout [ExampleKey]
    ) {
        let alternatives = whole.alternatives(schema)
        switch node.content {
        case .mapping(let entries):
            let mappings = alternatives.filter {
                $0["properties"] != nil || $0["additionalProperties"] is [String: Any]
            }
            // Of several mappings, the one that has the keys applies.
            let mapping =
                mappings.first { mapping in
                    entries.contains { (mapping["properties"] as? [String: Any])?[$0.key] != nil }
                } ?? mappings.first
            for entry in entries {
                let declared = (mapping?["properties"] as? [String: Any])?[entry.key] as? [String: Any]
                let free = mapping?["additionalProperties"] as? [String: Any]
                // The schema does not cover the content of a parameter's value.
                guard mapping != nil else { continue }
                guard let value = declared ?? free else {
                    Issue.record("line \(entry.keyPosition.line): the schema has no key \(entry.key)")
                    continue
                }
                keys.append(
                    ExampleKey(
                        name: entry.key, position: entry.keyPosition, mappingLine: line, schema: value,
                        isDeclared: declared != nil))
                collect(entry.value, begunAt: entry.keyPosition.line, value, whole, into: &keys)
            }
        case .sequence(let items):
            let list = alternatives.first { $0["items"] != nil }
            for item in items {
                guard let schema = list?["items"] as? [String: Any] else { continue }
                collect(item, begunAt: item.position.line, schema, whole, into: &keys)
            }
        case .scalar, .refused:
            break
        }
    }

    /// Returns the text without the key and its value; later lines keep their numbers.
    func removed(from text: String) -> String { replaced(in: text) { _ in "" } }

    /// Returns the text with another value on the line of the key.
    func with(value: String, in text: String) -> String { replaced(in: text) { "\($0) \(value)" } }

    /// Returns the text with another key.
    func renamed(_ name: String, in text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let line = lines[position.line - 1]
        lines[position.line - 1] =
            line.prefix(position.column - 1) + name + line.dropFirst(position.column - 1 + self.name.count)
        return lines.joined(separator: "\n")
    }

    /// Returns the text with the key and its colon replaced. The other lines of its value, known by their indentation,
    /// are empty.
    private func replaced(in text: String, _ replacement: (String) -> String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let line = lines[position.line - 1]
        let rest = line.dropFirst(position.column - 1)
        let key = rest.prefix { $0 != ":" } + ":"
        lines[position.line - 1] = line.prefix(position.column - 1) + replacement(String(key))
        for index in position.line..<lines.count {
            let content = lines[index].drop { $0 == " " }
            if content.isEmpty || content.hasPrefix("#") { continue }
            guard lines[index].count - content.count >= position.column else { break }
            lines[index] = ""
        }
        return lines.joined(separator: "\n")
    }
}
