/// A named JSON schema for the replies of a model.
public struct JSONSchema: Hashable, Sendable {
    /// Letters, digits, `_` and `-`, at most 64 of them.
    public var name: String
    /// Description of the value for the model.
    public var description: String?
    /// The schema itself.
    public var schema: JSONValue
    /// Whether the provider is to hold the model to it; OpenAI then allows only a part of what schemas can say.
    public var isStrict: Bool
    /// Whether the value is wrapped in an object as its member `value`, since providers demand an object at the top.
    var isWrapped = false

    /// A schema that was written by hand.
    public init(name: String, description: String? = nil, schema: JSONValue, isStrict: Bool = true) {
        self.name = name
        self.description = description
        self.schema = schema
        self.isStrict = isStrict
    }

    /// The schema of a type, derived from how it is decoded.
    ///
    /// All members are required, optional ones may be null. Types with a synthesised `init(from:)` are supported with
    /// all they contain: structs, optionals, arrays, dictionaries with strings as keys, enums with raw values that are
    /// `CaseIterable`, dates (ISO 8601), URLs, UUIDs and data (base64). Other types provide their own schema
    /// (``SchemaProviding``).
    ///
    /// - Throws: ``HeadgateClientError/invalidRequest(reason:)`` for a type whose schema cannot be derived.
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

    /// In the form of chat completions.
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

/// A type that says its JSON schema itself, for what cannot be derived, or to describe its members to the model.
public protocol SchemaProviding: Decodable {
    /// Schema of a value, as the model has to write it.
    static var jsonSchema: JSONValue { get }
    /// Some value. Needed where the type is a member of one whose schema is derived.
    static var example: Self { get }
}
