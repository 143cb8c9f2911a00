/// Joins the objects of an `allOf`, and the members next to it, into one object with all properties.
struct ObjectJoiner {
    private let reader: SchemaReader
    private var properties: [(name: String, schema: Schema)] = []
    private var indices: [String: Int] = [:]
    private var required: [(name: String, position: SourcePosition)] = []
    private var others = Schema.Others.none

    private var diagnostics: Diagnostics { reader.diagnostics }

    static func join(_ node: DocumentNode, _ reader: SchemaReader) -> Schema {
        var joiner = ObjectJoiner(reader: reader)
        joiner.add(node, inside: reader.owner.map { [$0] } ?? [])
        return Schema(position: node.position, description: nil, shape: joiner.shape(), isNullable: false)
    }

    private init(reader: SchemaReader) { self.reader = reader }

    /// - Parameter path: References that led to the node.
    private mutating func add(_ node: DocumentNode, inside path: [String]) {
        guard diagnostics.count(node.position), var members = Members(node, "a part of 'allOf'", diagnostics) else {
            return
        }
        if let reference = members.string("$ref") { return follow(reference, node.position, path) }
        for part in members.list("allOf") { add(part, inside: path) }
        addProperties(&members)
        // These have no effect in a base schema. Its variants are distinguished where one of them is expected.
        members.ignore("discriminator", "type", "nullable", "oneOf", "anyOf", "description", "enum", "format")
        members.ignoreWhatChangesNoType()
        members.ignoreWhatOnlyValidates()
        members.finish()
    }

    private mutating func follow(_ reference: String, _ position: SourcePosition, _ path: [String]) {
        let name = References.component(reference, "schemas") ?? reference
        guard let target = reader.components[name] ?? reader.references.target(of: reference) else {
            return diagnostics.warn(position, Reference.problem(reference, "schemas"))
        }
        guard !path.contains(name), path.count < 64 else {
            return diagnostics.warn(position, "'allOf' makes the schema '\(name)' a part of itself")
        }
        add(target, inside: path + [name])
    }

    private mutating func addProperties(_ members: inout Members) {
        switch (others, reader.others(&members)) {
        case (_, .none): break
        case (.none, let new): others = new
        case (.any, .values(let schema)): others = .values(schema)
        case (.any, .any), (.values, _): break
        }
        for member in members.named("properties") {
            let schema = reader.read(member.value)
            guard let index = indices[member.key] else {
                indices[member.key] = properties.count
                properties.append((member.key, schema))
                continue
            }
            properties[index].schema = narrower(properties[index].schema, schema, member)
        }
        let nodes = members.list("required")
        required += zip(members.strings("required"), nodes).map { ($0, $1.position) }
    }

    private func shape() -> Schema.Shape {
        for (name, position) in required where indices[name] == nil {
            diagnostics.warn(position, "the required property '\(name)' is not among the properties")
        }
        let names = Set(required.map(\.name))
        if properties.isEmpty {
            if case .values(let values) = others { return .map(values) }
            return .anyObject
        }
        return .object(
            Property.list(properties.map { ($0.name, $0.schema, names.contains($0.name)) }, reader.style.names),
            others: others)
    }

    /// Returns the narrower of two schemas of one property. A value must match both.
    private func narrower(_ old: Schema, _ new: Schema, _ member: DocumentNode.Member) -> Schema {
        switch (old.shape, new.shape) {
        case (_, .any), (_, .untyped): return old
        case (.any, _), (.untyped, _): return new
        case (.reference(let first), .reference(let second)) where first == second: return new
        // The schema with fewer possible values is narrower.
        case (.enumeration, .scalar), (.integers, .scalar), (.object, .anyObject), (.reference, .anyObject): return old
        case (.object(let first, let others), .object(let second, let more)):
            let names = Set(second.map(\.name))
            let all = first.filter { !names.contains($0.name) } + second
            let rest = if case .none = more { others } else { more }
            let properties = Property.list(all.map { ($0.name, $0.schema, $0.isRequired) }, reader.style.names)
            return Schema(
                position: new.position, description: new.description ?? old.description,
                shape: .object(properties, others: rest), isNullable: old.isNullable && new.isNullable)
        default: break
        }
        if let first = kind(old), let second = kind(new), first != second {
            diagnostics.warn(
                member.keyPosition,
                "'allOf' has the property '\(member.key)' twice, and not as the same type, so the last counts")
        }
        if case .reference = old.shape, case .scalar = new.shape { return kind(old) == nil ? new : old }
        return new
    }

    /// Returns the type of a scalar by its name in the document.
    private func kind(_ schema: Schema) -> String? {
        switch schema.shape {
        case .scalar(let type): return type.rawValue
        case .enumeration: return ScalarType.string.rawValue
        case .integers: return ScalarType.integer.rawValue
        case .reference(let name):
            switch reader.components[name]?["type"]?.text {
            case "string"?: return ScalarType.string.rawValue
            case "integer"?: return ScalarType.integer.rawValue
            case "number"?: return ScalarType.number.rawValue
            case "boolean"?: return ScalarType.boolean.rawValue
            default: return nil
            }
        default: return nil
        }
    }
}
