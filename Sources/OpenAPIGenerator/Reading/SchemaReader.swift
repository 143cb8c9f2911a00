/// Reads schemas.
struct SchemaReader {
    let diagnostics: Diagnostics
    /// The names of the components.
    let known: Set<String>

    func read(_ node: DocumentNode) -> Schema {
        guard var members = Members(node, "a schema", diagnostics) else {
            return Schema(position: node.position, description: nil, shape: .untyped(nil), isNullable: false)
        }
        if let reference = members.string("$ref") {
            members.ignore("description")
            members.finish()
            return Schema(
                position: node.position, description: nil, shape: resolved(reference, node.position), isNullable: false)
        }
        let description = members.string("description")
        let (type, isNullable) = type(&members)
        let shape = shape(of: type, &members)
        // Limits are for whoever validates; no type holds to them.
        members.ignore(
            "minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems", "minProperties",
            "maxProperties", "format", "examples")
        members.finish()
        return Schema(position: node.position, description: description, shape: shape, isNullable: isNullable)
    }

    private func shape(of type: String?, _ members: inout Members) -> Schema.Shape {
        // All are asked for, whatever the type: one that is out of place is no error of the document.
        let cases = cases(&members)
        let properties = properties(&members)
        let isOpen = isOpen(&members)
        let items = members.node("items").map(read)
        let choices = members.list("oneOf").map(read)
        switch type {
        case "string": return .string(cases: cases)
        case "integer": return .integer
        case "number": return .number
        case "boolean": return .boolean
        case "object": return .object(properties, isOpen: isOpen)
        case "array": return items.map { .array($0) } ?? .untyped("a list without 'items'")
        case _?: return .untyped(nil)
        case nil: return choices.isEmpty ? .untyped("a schema without 'type'") : .oneOf(choices)
        }
    }

    /// Whether an object may have members that are not named. What their values must be is for whoever validates.
    private func isOpen(_ members: inout Members) -> Bool {
        if let node = members.node("additionalProperties"), case .mapping = node.value {
            _ = read(node)
            return true
        }
        return members.boolean("additionalProperties") ?? false
    }

    private func type(_ members: inout Members) -> (String?, isNullable: Bool) {
        guard let node = members.node("type") else { return (nil, false) }
        var names: [String] = []
        switch node.value {
        case .string(let name): names = [name]
        case .sequence: names = members.strings("type")
        default:
            diagnostics.report(node.position, "'type' of a schema must be a string or a list, not \(node.kind)")
            return ("", false)
        }
        let known: Set = ["string", "integer", "number", "boolean", "object", "array", "null"]
        for name in names where !known.contains(name) {
            diagnostics.report(node.position, "there is no type '\(name)'")
        }
        let types = names.filter { $0 != "null" }
        if types.count > 1 {
            diagnostics.report(
                node.position, "several types are not supported, besides 'null': \(types.joined(separator: ", "))")
        }
        return (types.first, names.contains("null"))
    }

    /// The texts of an `enum` or a `const`, where they are texts.
    private func cases(_ members: inout Members) -> [String]? {
        let nodes = members.list("enum") + [members.node("const")].compactMap { $0 }
        let texts = nodes.compactMap { node -> String? in
            guard case .string(let text) = node.value else { return nil }
            return text
        }
        return texts.isEmpty ? nil : texts
    }

    private func properties(_ members: inout Members) -> [Property] {
        let required = members.list("required")
        let names = members.strings("required")
        let properties = members.named("properties").map { member in
            Property(name: member.key, schema: read(member.value), isRequired: names.contains(member.key))
        }
        for (node, name) in zip(required, names) where !properties.contains(where: { $0.name == name }) {
            diagnostics.report(node.position, "the required property '\(name)' is not among the properties")
        }
        return properties
    }

    private func resolved(_ reference: String, _ position: SourcePosition) -> Schema.Shape {
        let name = Reference.name(in: reference, "schemas", known, position, diagnostics)
        return name.map { .reference($0) } ?? .untyped(nil)
    }
}

/// References to components of this document; there are no others.
enum Reference {
    /// The name of the component, or nil, and reported, when there is none.
    static func name(
        in reference: String, _ section: String, _ known: Set<String>, _ position: SourcePosition,
        _ diagnostics: Diagnostics
    ) -> String? {
        let prefix = "#/components/\(section)/"
        guard reference.hasPrefix(prefix) else {
            diagnostics.report(position, "'\(reference)' is not supported here; a reference starts with '\(prefix)'")
            return nil
        }
        let name = String(reference.dropFirst(prefix.count))
        guard known.contains(name) else {
            diagnostics.report(position, "there is no '\(reference)'")
            return nil
        }
        return name
    }
}
