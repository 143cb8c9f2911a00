/// A JSON value that is parsed and written back. Members keep their order, and numbers their original text.
package indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in their order. If a name occurs more than once, the last member counts, as for most
/// parsers.
package struct JSONObject: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONValue
    }

    package var members: [Member] = []

    package init(_ members: [Member] = []) { self.members = members }

    /// The value of a member. Setting nil removes the member. Setting a value replaces it in place, or appends the
    /// member.
    package subscript(name: String) -> JSONValue? {
        get { members.last { $0.name == name }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.name == name } }
            guard let index = members.lastIndex(where: { $0.name == name }) else {
                return members.append(Member(name: name, value: newValue))
            }
            members[index].value = newValue
        }
    }
}

extension JSONValue {
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    package var isNull: Bool { self == .null }

    /// The value as an integer; nil unless it is a whole number, in any notation, that fits an `Int`.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }

    package var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

    /// A member of an object; nil for any other kind of value.
    package subscript(name: String) -> JSONValue? { object?[name] }
}

// Literals, so that values written by the gateway look in code as they do in the document.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { .init(name: $0, value: $1) }))
    }
    package init(nilLiteral: ()) { self = .null }

    package static func integer(_ value: Int) -> JSONValue { .number("\(value)") }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { .init(name: $0, value: $1) })
    }
}
