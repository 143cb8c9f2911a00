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
            members.ignore("description", "summary")
            members.finish()
            return Schema(
                position: node.position, description: nil, shape: resolved(reference, node.position), isNullable: false)
        }
        let description = members.string("description")
        let (type, hasNull) = type(&members)
        let isNullable = nullable(&members) || hasNull
        var shape = shape(of: type, &members)
        // Limits are for whoever validates, the rest for people; no type holds to them.
        members.ignore(
            "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
            "pattern",
            "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "format", "default", "title",
            "example", "examples", "deprecated", "readOnly", "writeOnly", "externalDocs")
        members.finish()
        var mayBeNull = isNullable
        if case .oneOf(let choices) = shape {
            let others = choices.filter { !$0.isNull }
            mayBeNull = isNullable || others.count < choices.count
            // One type or null is that type.
            shape = others.count == 1 && choices.count > 1 ? others[0].shape : .oneOf(others)
        }
        return Schema(position: node.position, description: description, shape: shape, isNullable: mayBeNull)
    }

    private func nullable(_ members: inout Members) -> Bool {
        guard let node = members.node("nullable") else { return false }
        if !diagnostics.isVersion30 {
            diagnostics.report(node.position, "'nullable' is of OpenAPI 3.0; here it is a type beside 'null'")
        }
        return members.boolean("nullable") ?? false
    }

    /// In 3.0, the only way to say anything about a reference is an `allOf` of it alone.
    private func only(_ choices: [DocumentNode]) -> Schema.Shape? {
        guard let first = choices.first else { return nil }
        if choices.count > 1 {
            diagnostics.report(choices[1].position, "'allOf' is supported only with one schema")
        }
        return read(first).shape
    }

    private func shape(of type: String?, _ members: inout Members) -> Schema.Shape {
        // All are asked for, whatever the type: one that is out of place is no error of the document.
        let cases = cases(&members)
        let properties = properties(&members)
        let (isOpen, values) = others(&members)
        let items = members.node("items").map(read)
        let choices = members.list("oneOf").map(read)
        let all = members.list("allOf")
        let whole = only(all)
        if let first = all.first, type != nil {
            diagnostics.report(first.position, "'allOf' beside 'type' is not supported")
        }
        if diagnostics.style.isLibrary, let first = choices.first, type != nil {
            diagnostics.report(first.position, "'oneOf' beside 'type' is not supported")
        }
        switch type {
        case "string": return .string(cases: cases)
        case "integer": return .integer
        case "number": return .number
        case "boolean": return .boolean
        case "object":
            if let values, properties.isEmpty, diagnostics.style.isLibrary { return .map(values) }
            return .object(properties, isOpen: isOpen)
        case "array": return items.map { .array($0) } ?? .untyped("a list without 'items'")
        case "null": return .untyped("a schema of nothing but null")
        case _?: return .untyped(nil)
        case nil: return whole ?? (choices.isEmpty ? .untyped("a schema without 'type'") : .oneOf(choices))
        }
    }

    /// Whether an object may have members that are not named, and the schema of their values, if there is one.
    private func others(_ members: inout Members) -> (isOpen: Bool, values: Schema?) {
        guard let node = members.node("additionalProperties"), case .mapping(let described) = node.value else {
            return (members.boolean("additionalProperties") ?? false, nil)
        }
        let values = read(node)
        return (true, described.isEmpty ? nil : values)
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
        if names == ["null"] { return ("null", true) }
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
