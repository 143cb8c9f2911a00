/// Reads schemas.
struct SchemaReader {
    let diagnostics: Diagnostics
    /// Component schemas, as nodes of the document.
    let components: [String: DocumentNode]
    /// Names of the component schemas.
    let known: Set<String>
    let references: References
    /// Name of the component schema that is being read.
    private(set) var owner: String?
    /// Positions of schemas outside the components that are being read by reference, to detect cycles.
    private var followed: [SourcePosition] = []
    /// Positions of schemas whose objects are being joined, to detect cycles.
    private var joining: [SourcePosition] = []

    var style: CodeStyle { diagnostics.style }

    init(diagnostics: Diagnostics, components: [String: DocumentNode], references: References) {
        self.diagnostics = diagnostics
        self.components = components
        self.references = references
        known = Set(components.keys)
    }

    /// Reads a component schema.
    func read(named name: String, _ node: DocumentNode) -> Schema {
        var reader = self
        reader.owner = name
        return reader.read(node)
    }

    /// Returns a reader for a schema whose objects are joined; nil if the schema is already being joined.
    func joining(_ node: DocumentNode) -> SchemaReader? {
        guard !joining.contains(node.position) else { return nil }
        var reader = self
        reader.joining.append(node.position)
        return reader
    }

    func read(_ node: DocumentNode) -> Schema {
        guard diagnostics.count(node.position) else { return schema(node, .any) }
        if style.isLibrary, case .boolean = node.value { return schema(node, .any) }
        guard case .mapping = node.value else {
            return schema(node, unusable(node.position, "a schema must be a mapping, not \(node.kind)"))
        }
        guard var members = Members(node, "a schema", diagnostics) else { return schema(node, .untyped(nil)) }
        if let reference = members.string("$ref") { return read(reference, node, &members) }
        let description = members.string("description")
        let (types, hasNull) = types(&members)
        let isNullable = nullable(&members) || hasNull || hasNullCase(node)
        let shape =
            style.isLibrary ? composed(node, types, &members) : gatewayShape(of: types.first, &members)
        members.ignoreWhatChangesNoType()
        if style.isLibrary { members.ignoreWhatOnlyValidates() }
        members.finish()
        return withoutNull(
            Schema(position: node.position, description: description, shape: shape, isNullable: isNullable))
    }

    private func schema(_ node: DocumentNode, _ shape: Schema.Shape) -> Schema {
        Schema(position: node.position, description: nil, shape: shape, isNullable: false)
    }

    /// Returns the replacement for a schema without a type: any JSON, with a warning.
    func unusable(_ position: SourcePosition, _ problem: String) -> Schema.Shape {
        guard style.isLibrary, !style.isStrict else {
            diagnostics.report(position, problem)
            return .untyped(nil)
        }
        diagnostics.warn(position, "\(problem), so it is any JSON")
        return .any
    }

    // MARK: References

    private func read(_ reference: String, _ node: DocumentNode, _ members: inout Members) -> Schema {
        members.ignore("description", "summary")
        let isNullable = style.isLibrary && members.boolean("nullable") ?? false
        if style.isLibrary {
            members.ignoreWhatChangesNoType()
            members.ignoreWhatOnlyValidates()
        }
        members.finish()
        guard style.isLibrary else {
            let name = Reference.name(in: reference, "schemas", known, node.position, diagnostics)
            return schema(node, name.map { .reference($0) } ?? .untyped(nil))
        }
        if let name = References.component(reference, "schemas"), known.contains(name) {
            return Schema(
                position: node.position, description: nil, shape: .reference(name), isNullable: isNullable)
        }
        guard let target = references.target(of: reference) else {
            return schema(node, unusable(node.position, Reference.problem(reference, "schemas")))
        }
        guard !followed.contains(target.position), followed.count < 32 else {
            return schema(node, unusable(node.position, "'\(reference)' leads to itself"))
        }
        var reader = self
        reader.followed.append(target.position)
        let found = reader.read(target)
        return Schema(
            position: node.position, description: found.description, shape: found.shape,
            isNullable: found.isNullable || isNullable)
    }

    // MARK: Parts

    /// Returns a choice without null. If null is one of the schemas, the choice is nullable.
    private func withoutNull(_ schema: Schema) -> Schema {
        let all: [Schema]
        switch schema.shape {
        case .oneOf(let choices, _), .anyOf(let choices): all = choices
        default: return schema
        }
        let others = all.filter { !$0.isNull }
        let shape: Schema.Shape =
            switch schema.shape {
            // A choice between null and one schema is that schema.
            case _ where others.count == 1 && (all.count > 1 || style.isLibrary): others[0].shape
            case _ where others.isEmpty && style.isLibrary: .any
            case .oneOf(_, let discriminator): .oneOf(others, discriminator)
            default: .anyOf(others)
            }
        let mayBeNull = schema.isNullable || all.contains(where: \.isNullable)
        return Schema(
            position: schema.position, description: schema.description, shape: shape, isNullable: mayBeNull)
    }

    func nullable(_ members: inout Members) -> Bool {
        guard let node = members.node("nullable") else { return false }
        if !diagnostics.isVersion30, !style.isLibrary {
            diagnostics.report(node.position, "'nullable' is of OpenAPI 3.0; here it is a type beside 'null'")
        }
        return members.boolean("nullable") ?? false
    }

    private func hasNullCase(_ node: DocumentNode) -> Bool {
        guard style.isLibrary else { return false }
        return node["enum"]?.items.contains { if case .null = $0.value { true } else { false } } ?? false
    }

    /// Returns the members of an object that its schema does not name.
    func others(_ members: inout Members) -> Schema.Others {
        if style.isLibrary, let patterns = members.node("patternProperties") {
            if case .mapping(let all) = patterns.value, !all.isEmpty { return .any }
        }
        guard let node = members.node("additionalProperties"), case .mapping(let described) = node.value else {
            return members.boolean("additionalProperties") ?? false ? .any : .none
        }
        let values = read(node)
        if described.isEmpty { return .any }
        guard style.isLibrary else { return .any }
        if case .any = values.shape { return .any }
        return .values(values)
    }

    /// Returns the types except `null`.
    func types(_ members: inout Members) -> ([String], isNullable: Bool) {
        guard let node = members.node("type") else { return ([], false) }
        var names: [String] = []
        switch node.value {
        case .string(let name): names = [name]
        case .sequence: names = members.strings("type")
        // Unquoted null is read like the word.
        case .null where style.isLibrary: names = ["null"]
        default:
            diagnostics.warn(node.position, "'type' of a schema must be a string or a list, not \(node.kind)")
            return (style.isLibrary ? [] : [""], false)
        }
        let known: Set = ["string", "integer", "number", "boolean", "object", "array", "null"]
        for name in names where !known.contains(name) { diagnostics.warn(node.position, "there is no type '\(name)'") }
        if names == ["null"] { return (["null"], true) }
        var types = names.filter { $0 != "null" && (known.contains($0) || !style.isLibrary) }
        if types.count > 1, !style.isLibrary {
            diagnostics.report(
                node.position, "several types are not supported, besides 'null': \(types.joined(separator: ", "))")
        }
        if types.contains("number") { types.removeAll { $0 == "integer" } }
        return (types, names.contains("null"))
    }

    func properties(_ members: inout Members) -> [Property] {
        let required = members.list("required")
        let names = Set(members.strings("required"))
        let properties = Property.list(
            members.named("properties").map { ($0.key, read($0.value), names.contains($0.key)) }, style.names)
        let present = Set(properties.map(\.name))
        for node in required where node.text.map({ !present.contains($0) }) ?? false {
            diagnostics.warn(node.position, "the required property '\(node.text ?? "")' is not among the properties")
        }
        return properties
    }

    /// Returns the values of an `enum` or a `const`.
    func cases(_ members: inout Members) -> [DocumentNode] {
        members.list("enum") + [members.node("const")].compactMap { $0 }
    }

    // MARK: The gateway's own document

    /// Returns the shape of an `allOf` with one schema. In OpenAPI 3.0, this is the only way to add members to a
    /// reference.
    private func only(_ choices: [DocumentNode]) -> Schema.Shape? {
        if choices.count > 1 {
            diagnostics.report(choices[1].position, "'allOf' is supported only with one schema")
        }
        // The other schemas only add a description.
        let shapes = choices.map { read($0).shape }
        return shapes.first { if case .untyped = $0 { false } else { true } } ?? shapes.first
    }

    private func gatewayShape(of type: String?, _ members: inout Members) -> Schema.Shape {
        // All members are read for any type, because a misplaced member is not an error.
        let cases = cases(&members).compactMap(\.text)
        let properties = properties(&members)
        let others = others(&members)
        let items = members.node("items").map(read)
        let one = members.list("oneOf").map(read)
        let all = members.list("allOf")
        let whole = only(all)
        if let first = all.first, type != nil {
            diagnostics.report(first.position, "'allOf' beside 'type' is not supported")
        }
        switch type {
        case "string": return cases.isEmpty ? .scalar(.string) : .enumeration(cases)
        case "integer": return .scalar(.integer)
        case "number": return .scalar(.number)
        case "boolean": return .scalar(.boolean)
        case "object": return .object(properties, others: others)
        case "array": return items.map { .array($0) } ?? .untyped("a list without 'items'")
        case "null": return .untyped("a schema of nothing but null")
        case _?: return .untyped(nil)
        case nil: return whole ?? (one.isEmpty ? .untyped("a schema without 'type'") : .oneOf(one, nil))
        }
    }
}

extension Members {
    /// Ignores members that no type enforces: constraints for validators, and descriptions.
    mutating func ignoreWhatChangesNoType() {
        ignore(
            "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
            "pattern", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "format", "default",
            "title", "example", "examples", "deprecated", "readOnly", "writeOnly", "externalDocs")
    }

    /// Ignores the rest of JSON Schema that only constrains values, or has no effect on them.
    mutating func ignoreWhatOnlyValidates() {
        ignore(
            "$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "$dynamicAnchor", "$recursiveAnchor",
            "$vocabulary", "propertyNames", "minContains", "maxContains", "contains", "unevaluatedItems",
            "contentMediaType", "contentSchema", "discriminator", "additionalItems")
    }
}

/// References to components of the document.
enum Reference {
    /// Returns the name of the component; nil, with a report, if it does not exist.
    static func name(
        in reference: String, _ section: String, _ known: Set<String>, _ position: SourcePosition,
        _ diagnostics: Diagnostics
    ) -> String? {
        if let name = References.component(reference, section), known.contains(name) { return name }
        diagnostics.report(position, problem(reference, section))
        return nil
    }

    static func problem(_ reference: String, _ section: String) -> String {
        let prefix = "#/components/\(section)/"
        return reference.hasPrefix("#/")
            ? "there is no '\(reference)'"
            : "'\(reference)' is not supported here; a reference starts with '\(prefix)'"
    }
}
