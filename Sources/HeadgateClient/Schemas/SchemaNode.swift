/// Schema of one location in a document, as far as it is known.
final class SchemaNode {
    private enum Kind {
        case unknown
        case known(JSONValue)
        case object([String: SchemaNode])
        case array(SchemaNode)
    }

    private var kind = Kind.unknown
    var isNullable = false

    /// The schema. If the decoder received no request for the location, any value is possible, expressed as an object
    /// without members.
    var schema: JSONValue {
        let schema: JSONValue =
            switch kind {
            case .unknown: SchemaDerivation.object([:])
            case .known(let schema): schema
            case .object(let members): SchemaDerivation.object(members.mapValues(\.schema))
            case .array(let element): ["type": "array", "items": element.schema]
            }
        return isNullable ? SchemaNode.nullable(schema) : schema
    }

    func learn(_ schema: JSONValue) { kind = .known(schema) }

    func becomeObject() {
        if case .object = kind { return }
        kind = .object([:])
    }

    func member(_ name: String) -> SchemaNode {
        guard case .object(var members) = kind else { return SchemaNode() }
        if let known = members[name] { return known }
        let node = SchemaNode()
        members[name] = node
        kind = .object(members)
        return node
    }

    func element() -> SchemaNode {
        if case .array(let element) = kind { return element }
        let element = SchemaNode()
        kind = .array(element)
        return element
    }

    /// Returns a schema that also accepts null.
    static func nullable(_ schema: JSONValue) -> JSONValue {
        guard case .object(var members) = schema, case .string(let type)? = members["type"], members["enum"] == nil
        else { return ["anyOf": [schema, ["type": "null"]]] }
        members["type"] = [.string(type), "null"]
        return .object(members)
    }
}
