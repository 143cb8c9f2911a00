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
    /// - Throws: what decoding throws.
    public func additionalProperties<Value: Decodable>(besides known: Set<String>) throws -> [String: Value] {
        let container = try container(keyedBy: MemberName.self)
        var members: [String: Value] = [:]
        for key in container.allKeys where !known.contains(key.stringValue) {
            members[key.stringValue] = try container.decode(Value.self, forKey: key)
        }
        return members
    }

    /// The same of members of any kind.
    ///
    /// - Throws: what decoding throws.
    public func additionalProperties(besides known: Set<String>) throws -> OpenAPIObjectContainer {
        OpenAPIObjectContainer(members: try additionalProperties(besides: known))
    }

    /// A value by itself, as the decoder's own rules have it: those of dates are not in their type.
    ///
    /// - Throws: what decoding throws.
    public func value<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        try singleValueContainer().decode(Value.self)
    }
}

extension Encoder {
    /// Writes members beside those that the schema names.
    ///
    /// - Throws: what encoding throws.
    public func encode(additionalProperties members: [String: some Encodable]) throws {
        var container = container(keyedBy: MemberName.self)
        for (name, value) in members { try container.encode(value, forKey: MemberName(stringValue: name)) }
    }

    /// The same of members of any kind.
    ///
    /// - Throws: what encoding throws.
    public func encode(additionalProperties object: OpenAPIObjectContainer) throws {
        try encode(additionalProperties: object.members)
    }

    /// Writes a value by itself, as the encoder's own rules have it.
    ///
    /// - Throws: what encoding throws.
    public func encode(value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
