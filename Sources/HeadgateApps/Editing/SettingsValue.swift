import JSONBytes

/// A value in an app's settings. Objects keep their order.
package indirect enum SettingsValue: Sendable, Equatable {
    case string(String)
    case number(Int)
    case bool(Bool)
    case object([Member])
    case array([SettingsValue])

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: SettingsValue

        package init(_ name: String, _ value: SettingsValue) { (self.name, self.value) = (name, value) }
    }

    /// Returns the value as indented JSON. The first line has no indentation, because it follows a name.
    ///
    /// - Parameters:
    ///   - unit: One level of indentation.
    ///   - outer: The indentation of the line that the value begins on.
    func json(unit: String, outer: String, ending: String) -> String {
        func lines(_ parts: [String], _ open: String, _ close: String) -> String {
            guard !parts.isEmpty else { return open + close }
            let inner = ending + outer + unit
            return open + inner + parts.joined(separator: "," + inner) + ending + outer + close
        }
        switch self {
        case .string(let text): return SettingsValue.literal(text)
        case .number(let number): return String(number)
        case .bool(let bool): return String(bool)
        case .object(let members):
            return lines(
                members.map { member in
                    let value = member.value.json(unit: unit, outer: outer + unit, ending: ending)
                    return "\(SettingsValue.literal(member.name)): \(value)"
                }, "{", "}")
        case .array(let elements):
            return lines(elements.map { $0.json(unit: unit, outer: outer + unit, ending: ending) }, "[", "]")
        }
    }

    /// Returns a JSON string literal, which is also valid as a basic string of TOML and a double-quoted scalar of YAML.
    static func literal(_ text: String) -> String { String(decoding: JSONEscaping.literal(text), as: UTF8.self) }
}

extension SettingsValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: SettingsValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, SettingsValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
