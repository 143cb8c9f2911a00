/// Name of an object's member that its schema does not name.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Returns the members of an object that its schema does not name.
    ///
    /// - Throws: An error of decoding.
    public func additionalProperties<Value: Decodable>(besides known: Set<String>) throws -> [String: Value] {
        let container = try container(keyedBy: MemberName.self)
        var members: [String: Value] = [:]
        for key in container.allKeys where !known.contains(key.stringValue) {
            members[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return members
    }

    /// Returns members of any type that the schema does not name.
    ///
    /// - Throws: An error of decoding.
    public func additionalProperties(besides known: Set<String>) throws -> OpenAPIObjectContainer {
        OpenAPIObjectContainer(members: try additionalProperties(besides: known))
    }

    /// Decodes a single value with the decoder's strategies, such as those for dates, which are not part of the type.
    ///
    /// - Throws: An error of decoding.
    public func value<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        try singleValueContainer().decode(Value.self)
    }
}

extension Encoder {
    /// Encodes members that the schema does not name.
    ///
    /// - Throws: An error of encoding.
    public func encode(additionalProperties members: [String: some Encodable]) throws {
        var container = container(keyedBy: MemberName.self)
        for (name, value) in members { try container.encode(value, forKey: MemberName(stringValue: name)) }
    }

    /// Encodes members of any type that the schema does not name.
    ///
    /// - Throws: An error of encoding.
    public func encode(additionalProperties object: OpenAPIObjectContainer) throws {
        try encode(additionalProperties: object.members)
    }

    /// Encodes a single value with the encoder's strategies.
    ///
    /// - Throws: An error of encoding.
    public func encode(value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
