/// The members of an object that its schema does not name.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// The members of an object besides those that its schema names.
    ///
    /// - Throws: errors of decoding.
    public func additionalProperties<Value: Decodable>(besides known: Set<String>) throws -> [String: Value] {
        let container = try container(keyedBy: MemberName.self)
        var members: [String: Value] = [:]
        for key in container.allKeys where !known.contains(key.stringValue) {
            members[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return members
    }

    /// Handles additional properties of any type.
    ///
    /// - Throws: errors of decoding.
    public func additionalProperties(besides known: Set<String>) throws -> OpenAPIObjectContainer {
        OpenAPIObjectContainer(members: try additionalProperties(besides: known))
    }

    /// Decodes a single value with the decoder's strategies, such as those of dates, which are not in the type.
    ///
    /// - Throws: errors of decoding.
    public func value<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        try singleValueContainer().decode(Value.self)
    }
}

extension Encoder {
    /// Writes members beside those that the schema names.
    ///
    /// - Throws: errors of encoding.
    public func encode(additionalProperties members: [String: some Encodable]) throws {
        var container = container(keyedBy: MemberName.self)
        for (name, value) in members { try container.encode(value, forKey: MemberName(stringValue: name)) }
    }

    /// Handles additional properties of any type.
    ///
    /// - Throws: errors of encoding.
    public func encode(additionalProperties object: OpenAPIObjectContainer) throws {
        try encode(additionalProperties: object.members)
    }

    /// Encodes a single value with the encoder's strategies.
    ///
    /// - Throws: errors of encoding.
    public func encode(value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
