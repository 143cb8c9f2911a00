/// Decodes an example for every request of a type, and records the requests.
struct SchemaDecoder: Decoder {
    let derivation: SchemaDerivation
    let node: SchemaNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        node.becomeObject()
        return KeyedDecodingContainer(
            SchemaMembers<Key>(derivation: derivation, node: node, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        SchemaElements(derivation: derivation, element: node.element(), codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SchemaValue(derivation: derivation, node: node, codingPath: codingPath)
    }
}

private struct SchemaMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let derivation: SchemaDerivation
    let node: SchemaNode
    let codingPath: [any CodingKey]

    var allKeys: [Key] { [] }

    func contains(_: Key) -> Bool { true }

    /// Records that a member can be null. Optional members call this before they are decoded.
    func decodeNil(forKey key: Key) throws -> Bool {
        node.member(key.stringValue).isNullable = true
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (value, schema) = try derivation.answer(type)
        node.member(key.stringValue).learn(schema)
        return value
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try decoder(for: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        SchemaDecoder(derivation: derivation, node: node.member("super"), codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(for: key) }

    private func decoder(for key: Key) -> SchemaDecoder {
        SchemaDecoder(derivation: derivation, node: node.member(key.stringValue), codingPath: codingPath + [key])
    }
}

/// An array with one element, which represents all others.
private struct SchemaElements: UnkeyedDecodingContainer {
    let derivation: SchemaDerivation
    let element: SchemaNode
    let codingPath: [any CodingKey]
    var currentIndex = 0

    /// Maximum number of elements. Types of a fixed length, such as points or matrices, request fewer. Types that read
    /// until an error occurs need a limit.
    static let longest = 16

    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() throws -> Bool {
        element.isNullable = true
        return false
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try advance(type)
        let (value, schema) = try derivation.answer(type)
        element.learn(schema)
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> SchemaDecoder {
        try advance(SchemaDecoder.self)
        return SchemaDecoder(derivation: derivation, node: element, codingPath: codingPath)
    }

    private mutating func advance(_ type: Any.Type) throws {
        guard currentIndex < Self.longest else {
            throw DecodingError.valueNotFound(
                type, DecodingError.Context(codingPath: codingPath, debugDescription: "the array has ended"))
        }
        currentIndex += 1
    }
}

private struct SchemaValue: SingleValueDecodingContainer {
    let derivation: SchemaDerivation
    let node: SchemaNode
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (value, schema) = try derivation.answer(type)
        node.learn(schema)
        return value
    }
}
