/// Any JSON value, which is the type of schemas without a type.
public struct OpenAPIValueContainer: Hashable, Sendable {
    indirect enum Storage: Hashable, Sendable {
        case null
        case boolean(Bool)
        case integer(Int)
        case number(Double)
        case string(String)
        case array([OpenAPIValueContainer])
        case object([String: OpenAPIValueContainer])
    }

    var storage: Storage

    init(storage: Storage) { self.storage = storage }

    /// Creates a value.
    ///
    /// - Parameter unvalidatedValue: Nil, a `Bool`, an `Int`, a `Double` or another number, a `String`, a list of such
    ///   values, or a dictionary of such values by name.
    /// - Throws: An error for a value of any other type.
    public init(unvalidatedValue: (any Sendable)?) throws { storage = try OpenAPIValueContainer.read(unvalidatedValue) }

    /// The value: nil, a `Bool`, an `Int`, a `Double`, a `String`, a `[(any Sendable)?]` or a
    /// `[String: (any Sendable)?]`.
    public var value: (any Sendable)? {
        switch storage {
        case .null: nil
        case .boolean(let flag): flag
        case .integer(let number): number
        case .number(let number): number
        case .string(let text): text
        case .array(let elements): elements.map(\.value)
        case .object(let members): members.mapValues(\.value)
        }
    }

    private static func read(_ value: (any Sendable)?) throws -> Storage {
        switch value {
        case nil: .null
        case let value as OpenAPIValueContainer: value.storage
        case let object as OpenAPIObjectContainer: .object(object.members)
        case let flag as Bool: .boolean(flag)
        case let number as Double: .number(number)
        case let number as Float: .number(Double(number))
        case let number as any BinaryInteger & Sendable:
            if let number = Int(exactly: number) { .integer(number) } else { .number(Double(number)) }
        case let text as String: .string(text)
        case let elements as [(any Sendable)?]: .array(try elements.map { .init(storage: try read($0)) })
        case let members as [String: (any Sendable)?]:
            .object(try members.mapValues { .init(storage: try read($0)) })
        case let value?:
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "JSON has no value of the type \(type(of: value))"))
        }
    }
}

extension OpenAPIValueContainer: Codable, JSONWritable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            storage = .null
        } else if let flag = try? container.decode(Bool.self) {
            storage = .boolean(flag)
        } else if let number = try? container.decode(Int.self) {
            storage = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            storage = .number(number)
        } else if let text = try? container.decode(String.self) {
            storage = .string(text)
        } else if let elements = try? container.decode([OpenAPIValueContainer].self) {
            storage = .array(elements)
        } else {
            storage = .object(try container.decode([String: OpenAPIValueContainer].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch storage {
        case .null: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    public func write(to json: inout JSONText) throws {
        switch storage {
        case .null: json.appendNull()
        case .boolean(let flag): try flag.write(to: &json)
        case .integer(let number): json.append(number)
        case .number(let number): try json.append(number)
        case .string(let text): json.append(text)
        case .array(let elements): try elements.write(to: &json)
        case .object(let members): try members.write(to: &json)
        }
    }
}

extension OpenAPIValueContainer: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { storage = .null }
    public init(booleanLiteral value: Bool) { storage = .boolean(value) }
    public init(integerLiteral value: Int) { storage = .integer(value) }
    public init(floatLiteral value: Double) { storage = .number(value) }
    public init(stringLiteral value: String) { storage = .string(value) }
    public init(arrayLiteral elements: OpenAPIValueContainer...) { storage = .array(elements) }

    public init(dictionaryLiteral elements: (String, OpenAPIValueContainer)...) {
        storage = .object(Dictionary(elements) { _, last in last })
    }
}

/// Any JSON object, which is the type of schemas that name no members.
public struct OpenAPIObjectContainer: Hashable, Sendable {
    var members: [String: OpenAPIValueContainer]

    init(members: [String: OpenAPIValueContainer]) { self.members = members }

    public init() { members = [:] }

    /// Creates an object.
    ///
    /// - Throws: An error for values that JSON does not support.
    public init(unvalidatedValue: [String: (any Sendable)?]) throws {
        members = try unvalidatedValue.mapValues { try OpenAPIValueContainer(unvalidatedValue: $0) }
    }

    /// Values of the members, as in ``OpenAPIValueContainer``.
    public var value: [String: (any Sendable)?] { members.mapValues(\.value) }

    /// A member as a container; nil if there is none.
    public subscript(name: String) -> OpenAPIValueContainer? {
        get { members[name] }
        set { members[name] = newValue }
    }
}

extension OpenAPIObjectContainer: Codable, JSONWritable, ExpressibleByDictionaryLiteral {
    public init(from decoder: any Decoder) throws { members = try .init(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
    public func write(to json: inout JSONText) throws { try members.write(to: &json) }

    public init(dictionaryLiteral elements: (String, OpenAPIValueContainer)...) {
        members = Dictionary(elements) { _, last in last }
    }
}
