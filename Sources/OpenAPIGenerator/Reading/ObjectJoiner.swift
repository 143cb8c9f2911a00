/// Joins the objects of an `allOf`, and what stands beside it, to one with the properties of all.
struct ObjectJoiner {
    private let reader: SchemaReader
    private var properties: [(name: String, schema: Schema)] = []
    private var required: [(name: String, position: SourcePosition)] = []
    private var isOpen = false

    private var diagnostics: Diagnostics { reader.diagnostics }

    static func join(_ node: DocumentNode, _ reader: SchemaReader) -> Schema {
        var joiner = ObjectJoiner(reader: reader)
        let (description, isNullable) = joiner.add(node, inside: [])
        return Schema(
            position: node.position, description: description, shape: joiner.shape(), isNullable: isNullable)
    }

    private init(reader: SchemaReader) { self.reader = reader }

    /// - Parameter path: the references that have led here.
    @discardableResult
    private mutating func add(_ node: DocumentNode, inside path: [String]) -> (description: String?, isNullable: Bool) {
        guard var members = Members(node, "a part of 'allOf'", diagnostics) else { return (nil, false) }
        if let reference = members.string("$ref") {
            members.ignore("description", "summary")
            members.finish()
            follow(reference, node.position, path)
            return (nil, false)
        }
        let description = members.string("description")
        let (type, hasNull) = reader.type(&members)
        let isNullable = reader.nullable(&members) || hasNull
        guard type ?? "object" == "object" else {
            diagnostics.report(
                node.position, "'allOf' of several schemas joins objects only; this is \(type ?? "none")")
            return (description, isNullable)
        }
        for part in members.list("allOf") { add(part, inside: path) }
        addProperties(&members)
        // Of one that others are made of it changes nothing: they are told apart where one of them is expected.
        members.ignore("discriminator")
        members.ignoreWhatChangesNoType()
        members.finish()
        return (description, isNullable)
    }

    private mutating func follow(_ reference: String, _ position: SourcePosition, _ path: [String]) {
        guard let name = Reference.name(in: reference, "schemas", reader.known, position, diagnostics),
            let target = reader.components[name]
        else { return }
        guard !path.contains(name) else {
            return diagnostics.report(position, "'allOf' makes the schema '\(name)' a part of itself")
        }
        add(target, inside: path + [name])
    }

    private mutating func addProperties(_ members: inout Members) {
        let others = members.node("additionalProperties")
        let (isOpen, values) = reader.others(&members)
        if let others, values != nil {
            diagnostics.report(others.position, "'additionalProperties' of a schema is not supported inside 'allOf'")
        }
        self.isOpen = self.isOpen || isOpen
        for member in members.named("properties") {
            let schema = reader.read(member.value)
            guard let index = properties.firstIndex(where: { $0.name == member.key }) else {
                properties.append((member.key, schema))
                continue
            }
            guard let narrower = narrower(properties[index].schema, schema) else {
                diagnostics.report(
                    member.keyPosition, "'allOf' has the property '\(member.key)' twice, and not as the same type")
                continue
            }
            properties[index].schema = narrower
        }
        let nodes = members.list("required")
        required += zip(members.strings("required"), nodes).map { ($0, $1.position) }
    }

    private func shape() -> Schema.Shape {
        for (name, position) in required where !properties.contains(where: { $0.name == name }) {
            diagnostics.report(position, "the required property '\(name)' is not among the properties")
        }
        let names = Set(required.map(\.name))
        return .object(
            properties.map { Property(name: $0.name, schema: $0.schema, isRequired: names.contains($0.name)) },
            isOpen: isOpen)
    }

    /// Of two schemas of one property the one that says more; nil where they differ.
    private func narrower(_ old: Schema, _ new: Schema) -> Schema? {
        if case .reference(let first) = old.shape, case .reference(first) = new.shape { return new }
        guard let kind = scalar(old), kind == scalar(new) else { return nil }
        // Any text says less than one of some.
        if case .string(nil) = new.shape { return old }
        return new
    }

    private func scalar(_ schema: Schema) -> String? {
        switch schema.shape {
        case .string: return "string"
        case .integer: return "integer"
        case .number: return "number"
        case .boolean: return "boolean"
        case .reference(let name):
            guard case .mapping(let members)? = reader.components[name]?.value,
                case .string(let type)? = members.first(where: { $0.key == "type" })?.value.value
            else { return nil }
            return ["string", "integer", "number", "boolean"].contains(type) ? type : nil
        default: return nil
        }
    }
}
