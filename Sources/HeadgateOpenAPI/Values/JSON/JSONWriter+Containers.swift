extension JSONWriter {
    /// The members of an object.
    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let writer: JSONWriter
        let level: Int

        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) throws {
            try writer.beginMember(key.stringValue, at: level)
            writer.append(literal: "null")
            writer.endMember()
        }

        mutating func encode(_ value: String, forKey key: Key) throws {
            try writer.beginMember(key.stringValue, at: level)
            writer.append(value)
            writer.endMember()
        }

        mutating func encode(_ value: Int, forKey key: Key) throws {
            try writer.beginMember(key.stringValue, at: level)
            writer.append(value)
            writer.endMember()
        }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try writer.beginMember(key.stringValue, at: level)
            try writer.write(value)
            writer.endMember()
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy _: Nested.Type, forKey _: Key
        ) -> KeyedEncodingContainer<Nested> {
            writer.giveUp()
            return KeyedEncodingContainer(Keyed<Nested>(writer: writer, level: JSONWriter.nowhere))
        }

        mutating func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedEncodingContainer {
            writer.giveUp()
            return Unkeyed(writer: writer, level: JSONWriter.nowhere)
        }

        mutating func superEncoder() -> any Encoder {
            writer.giveUp()
            return writer
        }

        mutating func superEncoder(forKey _: Key) -> any Encoder { superEncoder() }
    }

    /// The elements of a list.
    struct Unkeyed: UnkeyedEncodingContainer {
        let writer: JSONWriter
        let level: Int

        var codingPath: [any CodingKey] { [] }
        var count: Int { writer.elements(at: level) }

        mutating func encodeNil() throws {
            try writer.beginElement(at: level)
            writer.append(literal: "null")
        }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            try writer.beginElement(at: level)
            try writer.write(value)
        }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type) -> KeyedEncodingContainer<Nested> {
            writer.giveUp()
            return KeyedEncodingContainer(Keyed<Nested>(writer: writer, level: JSONWriter.nowhere))
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            writer.giveUp()
            return Unkeyed(writer: writer, level: JSONWriter.nowhere)
        }

        mutating func superEncoder() -> any Encoder {
            writer.giveUp()
            return writer
        }
    }

    /// A value that is no list and no object, or that is another one.
    struct Single: SingleValueEncodingContainer {
        let writer: JSONWriter
        let level: Int

        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() throws { try scalar { writer.append(literal: "null") } }
        mutating func encode(_ value: Bool) throws { try scalar { writer.append(literal: value ? "true" : "false") } }
        mutating func encode(_ value: String) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: Double) throws { try scalar { try writer.append(value) } }
        mutating func encode(_ value: Float) throws { try scalar { try writer.append(value) } }
        mutating func encode(_ value: Int) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: Int8) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: Int16) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: Int32) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: Int64) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: UInt) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: UInt8) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: UInt16) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: UInt32) throws { try scalar { writer.append(value) } }
        mutating func encode(_ value: UInt64) throws { try scalar { writer.append(value) } }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            try scalar { try writer.write(value) }
        }

        private func scalar(_ write: () throws -> Void) throws {
            try writer.beginScalar(at: level)
            try write()
        }
    }
}
