/// Decodes values of a query or a form, in which every scalar is text.
struct FormDecoder: Decoder {
    let value: FormValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// Recorder for names that are read from the outermost value; nil for none.
    private let reading: Reading?

    /// Names that were read from a value.
    final class Reading {
        var names: Set<String> = []
        /// Whether all names were read.
        var isOfAll = false
    }

    init(_ value: FormValue, at path: [any CodingKey] = [], noting reading: Reading? = nil) {
        self.value = value
        self.reading = reading
        codingPath = path
    }

    static func decode<Value: Decodable>(_ value: FormValue) throws -> Value { try FormDecoder(value).read() }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .members(let members) = value else { throw mismatch([String: String].self, "values by name") }
        return KeyedDecodingContainer(Keyed(members: members, codingPath: codingPath, reading: reading))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .list(let elements): Unkeyed(elements: elements, codingPath: codingPath)
        // A list with one element looks like its element.
        case .text: Unkeyed(elements: [value], codingPath: codingPath)
        case .members: throw mismatch([String].self, "a list")
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(decoder: self) }

    func read<Value: Decodable>() throws -> Value {
        if let type = Value.self as? any ParameterValue.Type {
            guard let read = try scalar(type) as? Value else { throw mismatch(Value.self, "\(Value.self)") }
            return read
        }
        return try Value(from: self)
    }

    func scalar<Value: ParameterValue>(_ type: Value.Type) throws -> Value {
        guard case .text(let text) = value, let read = Value(parameterText: text) else {
            throw mismatch(type, Value.expectation)
        }
        return read
    }

    private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "this is not \(expected)"))
    }

    // MARK: Containers

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [String: FormValue]
        let codingPath: [any CodingKey]
        let reading: Reading?
        var allKeys: [Key] {
            reading?.isOfAll = true
            return members.keys.compactMap(Key.init(stringValue:))
        }

        func contains(_ key: Key) -> Bool {
            reading?.names.insert(key.stringValue)
            return members[key.stringValue] != nil
        }

        func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try inner(key).read() }

        func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Other> {
            try inner(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try inner(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { FormDecoder(.members(members), at: codingPath, noting: reading) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

        private func inner(_ key: Key) throws -> FormDecoder {
            reading?.names.insert(key.stringValue)
            guard let value = members[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key, .init(codingPath: codingPath, debugDescription: "'\(key.stringValue)' is missing"))
            }
            return FormDecoder(value, at: codingPath + [key])
        }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let elements: [FormValue]
        let codingPath: [any CodingKey]
        var currentIndex = 0
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        mutating func decodeNil() throws -> Bool { false }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().read() }

        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }

        private mutating func next() throws -> FormDecoder {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    String.self, .init(codingPath: codingPath, debugDescription: "the list has ended"))
            }
            defer { currentIndex += 1 }
            return FormDecoder(elements[currentIndex], at: codingPath)
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: FormDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.read() }
    }
}
