#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Derives the schema of a type by decoding it without data. Every request to the decoder becomes a part of the schema,
/// and gets an example value.
final class SchemaDerivation {
    /// Whether OpenAI would accept the schema as strict.
    private(set) var isStrict = true
    /// Types that are being decoded, outermost first.
    private var enclosing: [Any.Type] = []

    /// - Throws: ``HeadgateClientError/invalidRequest(reason:)``.
    func schema<Value: Decodable>(of type: Value.Type) throws -> JSONValue {
        if let type = type as? any SchemaProviding.Type { return provided(type).schema }
        do {
            return try answer(type).schema
        } catch let error as HeadgateClientError {
            throw error
        } catch {
            throw SchemaDerivation.failure(type, "its init(from:) accepts no example")
        }
    }

    /// Returns an example value of a type, and its schema.
    func answer<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, schema: JSONValue) {
        if let (value, schema) = try leaf(type) ?? composite(type) {
            guard let value = value as? Value else { throw SchemaDerivation.failure(type, "it has no example") }
            return (value, schema)
        }
        guard !enclosing.contains(where: { $0 == type }) else {
            throw SchemaDerivation.failure(type, "it contains itself")
        }
        enclosing.append(type)
        defer { enclosing.removeLast() }
        let node = SchemaNode()
        do {
            let value = try Value(from: SchemaDecoder(derivation: self, node: node, codingPath: []))
            return (value, node.schema)
        } catch is DecodingError {
            throw SchemaDerivation.failure(type, "its init(from:) accepts no example")
        }
    }

    private func leaf(_ type: Any.Type) throws -> (value: Any, schema: JSONValue)? {
        switch type {
        case is String.Type: ("", ["type": "string"])
        case is Bool.Type: (false, ["type": "boolean"])
        case is Double.Type: (0.0, ["type": "number"])
        case is Float.Type: (Float(0), ["type": "number"])
        case is Decimal.Type: (Decimal(0), ["type": "number"])
        case let type as any FixedWidthInteger.Type: (type.zero, ["type": "integer"])
        case is Date.Type: (Date(timeIntervalSince1970: 0), ["type": "string", "format": "date-time"])
        case is UUID.Type: (UUID(), ["type": "string", "format": "uuid"])
        case is Data.Type: (Data(), ["type": "string"])
        // `format: uri` is left out, because OpenAI rejects it in a strict schema.
        case is URL.Type: URL(string: "http://localhost").map { ($0, ["type": "string"]) }
        case is JSONValue.Type: anything
        default: nil
        }
    }

    private var anything: (value: Any, schema: JSONValue) {
        isStrict = false
        return (JSONValue.null, [:])
    }

    private func composite<Value: Decodable>(_ type: Value.Type) throws -> (value: Any, schema: JSONValue)? {
        switch type {
        case let type as any SchemaProviding.Type: provided(type)
        case let type as any SchemaComposite.Type: try type.answer(self)
        case let type as any CaseIterable.Type: try SchemaDerivation.cases(type)
        default: nil
        }
    }

    private func provided<Value: SchemaProviding>(_ type: Value.Type) -> (value: Any, schema: JSONValue) {
        (type.example, type.jsonSchema)
    }

    /// - Returns: Nil if the cases have no raw values.
    private static func cases<Value: CaseIterable>(_ type: Value.Type) throws -> (value: Any, schema: JSONValue)? {
        guard let first = type.allCases.first, first is any RawRepresentable else { return nil }
        let values: [JSONValue] = type.allCases.compactMap { value in
            guard let value = value as? any RawRepresentable else { return nil }
            if let text = value.rawValue as? String { return .string(text) }
            return (value.rawValue as? any BinaryInteger).flatMap { Int(exactly: $0) }.map(JSONValue.integer)
        }
        guard values.count == type.allCases.count else { return nil }
        let isText = values.allSatisfy { if case .string = $0 { true } else { false } }
        return (first, ["type": isText ? "string" : "integer", "enum": .array(values)])
    }

    func allowAnyMember() { isStrict = false }

    static func object(_ members: [String: JSONValue]) -> JSONValue {
        [
            "type": "object", "properties": .object(members), "additionalProperties": false,
            "required": .array(members.keys.sorted().map(JSONValue.string)),
        ]
    }

    static func failure(_ type: Any.Type, _ reason: String) -> HeadgateClientError {
        .invalidRequest(
            reason: "the JSON schema of '\(type)' cannot be derived (\(reason)): let it be SchemaProviding, an enum "
                + "CaseIterable, or give the schema")
    }
}

/// A generic type that contains other types.
protocol SchemaComposite {
    static func answer(_ derivation: SchemaDerivation) throws -> (value: Any, schema: JSONValue)
}

extension Array: SchemaComposite where Element: Decodable {
    static func answer(_ derivation: SchemaDerivation) throws -> (value: Any, schema: JSONValue) {
        let (_, schema) = try derivation.answer(Element.self)
        return ([Element](), ["type": "array", "items": schema])
    }
}

extension Set: SchemaComposite where Element: Decodable {
    static func answer(_ derivation: SchemaDerivation) throws -> (value: Any, schema: JSONValue) {
        let (_, schema) = try derivation.answer(Element.self)
        return (Set<Element>(), ["type": "array", "items": schema])
    }
}

extension Dictionary: SchemaComposite where Key == String, Value: Decodable {
    static func answer(_ derivation: SchemaDerivation) throws -> (value: Any, schema: JSONValue) {
        derivation.allowAnyMember()
        let (_, schema) = try derivation.answer(Value.self)
        return ([String: Value](), ["type": "object", "additionalProperties": schema])
    }
}

extension Optional: SchemaComposite where Wrapped: Decodable {
    static func answer(_ derivation: SchemaDerivation) throws -> (value: Any, schema: JSONValue) {
        let (value, schema) = try derivation.answer(Wrapped.self)
        return (Optional(value) as Any, SchemaNode.nullable(schema))
    }
}
