/// A named JSON Schema for the replies of a model.
public struct JSONSchema: Hashable, Sendable {
    /// Name of the schema: at most 64 letters, digits, `_` and `-`.
    public var name: String
    /// Description of the value for the model.
    public var description: String?
    /// The schema itself.
    public var schema: JSONValue
    /// Whether the provider enforces the schema. OpenAI then supports only a subset of JSON Schema.
    public var isStrict: Bool
    /// Whether the value is wrapped in an object as its member `value`, because providers require an object at the top.
    var isWrapped = false

    /// Creates a schema from handwritten JSON.
    public init(name: String, description: String? = nil, schema: JSONValue, isStrict: Bool = true) {
        self.name = name
        self.description = description
        self.schema = schema
        self.isStrict = isStrict
    }

    /// Creates the schema of a type from the way it is decoded.
    ///
    /// All members are required, and optional ones can be null. Types with a synthesized `init(from:)` are supported
    /// with all their members. These are structs, optionals, arrays, dictionaries with strings as keys, `CaseIterable`
    /// enums with raw values, dates (ISO 8601), URLs, UUIDs and data (base64). Other types provide their own schema
    /// (``SchemaProviding``).
    ///
    /// - Throws: ``HeadgateClientError/invalidRequest(reason:)`` if the schema cannot be derived.
    public init<Value: Decodable>(of type: Value.Type) throws {
        let derivation = SchemaDerivation()
        var schema = try derivation.schema(of: type)
        if !schema.isObjectSchema {
            schema = SchemaDerivation.object(["value": schema])
            isWrapped = true
        }
        name = JSONSchema.name(of: type)
        self.schema = schema
        isStrict = derivation.isStrict
    }

    private static func name(of type: Any.Type) -> String {
        let letters = "\(type)".map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return String(letters.prefix(64))
    }

    /// Members of the schema for chat completions.
    var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["name": .string(name), "schema": schema, "strict": .bool(isStrict)]
        members["description"] = description.map(JSONValue.string)
        return members
    }
}

extension JSONValue {
    fileprivate var isObjectSchema: Bool {
        guard case .object(let members) = self else { return false }
        return members["type"] == "object"
    }
}

/// A type that provides its own JSON Schema, because it cannot be derived, or to describe its members to the model.
public protocol SchemaProviding: Decodable {
    /// Schema of a value as the model must write it.
    static var jsonSchema: JSONValue { get }
    /// Any value of the type. It is used if a type whose schema is derived has a member of this type.
    static var example: Self { get }
}
