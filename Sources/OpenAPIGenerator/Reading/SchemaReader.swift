/// Reads schemas.
struct SchemaReader {
    let diagnostics: Diagnostics
    /// Those of the components, as they stand in the document.
    let components: [String: DocumentNode]
    /// Their names.
    let known: Set<String>

    init(diagnostics: Diagnostics, components: [String: DocumentNode]) {
        self.diagnostics = diagnostics
        self.components = components
        known = Set(components.keys)
    }

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
        if joinsObjects(&members) { return ObjectJoiner.join(node, self) }
        let description = members.string("description")
        let (type, hasNull) = type(&members)
        let isNullable = nullable(&members) || hasNull
        let shape = shape(of: type, &members)
        members.ignoreWhatChangesNoType()
        members.finish()
        return withoutNull(
            Schema(position: node.position, description: description, shape: shape, isNullable: isNullable))
    }

    /// One of several schemas, of which null is one, may be null.
    private func withoutNull(_ schema: Schema) -> Schema {
        let all: [Schema]
        switch schema.shape {
        case .oneOf(let choices, _), .anyOf(let choices): all = choices
        default: return schema
        }
        let others = all.filter { !$0.isNull }
        let shape: Schema.Shape =
            switch schema.shape {
            // One type or null is that type.
            case _ where others.count == 1 && all.count > 1: others[0].shape
            case .oneOf(_, let discriminator): .oneOf(others, discriminator)
            default: .anyOf(others)
            }
        let mayBeNull = schema.isNullable || all.contains(where: \.isNullable)
        return Schema(
            position: schema.position, description: schema.description, shape: shape, isNullable: mayBeNull)
    }

    /// Whether there is more than one schema, whose properties an object has together.
    private func joinsObjects(_ members: inout Members) -> Bool {
        guard diagnostics.style.isLibrary else { return false }
        // What only describes is no schema to join.
        let all = members.list("allOf").filter { node in
            guard case .mapping(let members) = node.value else { return true }
            return members.contains { SchemaReader.ofTypes.contains($0.key) }
        }
        let hasOwn = ["type", "properties", "required"].contains { members.node($0) != nil }
        return all.count > 1 || all.count == 1 && hasOwn
    }

    private static let ofTypes: Set = [
        "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "const", "allOf", "oneOf",
        "anyOf",
    ]

    func nullable(_ members: inout Members) -> Bool {
        guard let node = members.node("nullable") else { return false }
        if !diagnostics.isVersion30 {
            diagnostics.report(node.position, "'nullable' is of OpenAPI 3.0; here it is a type beside 'null'")
        }
        return members.boolean("nullable") ?? false
    }

    /// In 3.0, the only way to say anything about a reference is an `allOf` of it alone.
    private func only(_ choices: [DocumentNode]) -> Schema.Shape? {
        if !diagnostics.style.isLibrary, choices.count > 1 {
            diagnostics.report(choices[1].position, "'allOf' is supported only with one schema")
        }
        // Others only describe.
        let shapes = choices.map { read($0).shape }
        return shapes.first { if case .untyped = $0 { false } else { true } } ?? shapes.first
    }

    private func shape(of type: String?, _ members: inout Members) -> Schema.Shape {
        // All are asked for, whatever the type: one that is out of place is no error of the document.
        let cases = cases(&members)
        let properties = properties(&members)
        let (isOpen, values) = others(&members)
        let items = members.node("items").map(read)
        let choices = choices(&members)
        let all = members.list("allOf")
        let whole = only(all)
        if let first = all.first, type != nil {
            diagnostics.report(first.position, "'allOf' beside 'type' is not supported")
        }
        if diagnostics.style.isLibrary, type != nil, let position = choices?.position {
            diagnostics.report(position, "'oneOf' or 'anyOf' beside 'type' is not supported")
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
        case nil:
            if let shape = whole ?? choices?.shape { return shape }
            if diagnostics.style.isLibrary, !properties.isEmpty { return .object(properties, isOpen: isOpen) }
            if diagnostics.style.isLibrary, let cases { return .string(cases: cases) }
            return .untyped("a schema without 'type'")
        }
    }

    /// What `oneOf` or `anyOf` say, with the place of the first schema.
    private func choices(_ members: inout Members) -> (position: SourcePosition, shape: Schema.Shape)? {
        let one = members.list("oneOf").map(read)
        guard diagnostics.style.isLibrary else { return one.first.map { ($0.position, .oneOf(one, nil)) } }
        let any = members.list("anyOf").map(read)
        let told = members.node("discriminator").flatMap(discriminator)
        if !one.isEmpty, let first = any.first {
            diagnostics.report(first.position, "'anyOf' beside 'oneOf' is not supported")
        }
        let all = one.isEmpty ? any : one
        guard let first = all.first else { return nil }
        return (first.position, one.isEmpty && told == nil ? .anyOf(all) : .oneOf(all, told))
    }

    /// Whether an object may have members that are not named, and the schema of their values, if there is one.
    func others(_ members: inout Members) -> (isOpen: Bool, values: Schema?) {
        guard let node = members.node("additionalProperties"), case .mapping(let described) = node.value else {
            return (members.boolean("additionalProperties") ?? false, nil)
        }
        let values = read(node)
        return (true, described.isEmpty ? nil : values)
    }

    func type(_ members: inout Members) -> (String?, isNullable: Bool) {
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

extension Members {
    /// Limits are for whoever validates, the rest for people; no type holds to them.
    mutating func ignoreWhatChangesNoType() {
        ignore(
            "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
            "pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "format", "default",
            "title", "example", "examples", "deprecated", "readOnly", "writeOnly", "externalDocs")
    }
}

extension SchemaReader {
    /// Reads which member of an object says which of several schemas it has.
    func discriminator(_ node: DocumentNode) -> Discriminator? {
        guard var members = Members(node, "a discriminator", diagnostics),
            let name = members.requiredString("propertyName")
        else { return nil }
        let mapping = members.named("mapping").compactMap { member -> Discriminator.Value? in
            guard case .string(let text) = member.value.value else {
                diagnostics.report(member.value.position, "a 'mapping' leads to schemas, not to \(member.value.kind)")
                return nil
            }
            // Also a name alone may stand for a schema.
            let reference = known.contains(text) ? "#/components/schemas/\(text)" : text
            return Reference.name(in: reference, "schemas", known, member.value.position, diagnostics)
                .map { Discriminator.Value(text: member.key, schema: $0) }
        }
        members.finish()
        return Discriminator(position: node.position, property: name, mapping: mapping)
    }
}
