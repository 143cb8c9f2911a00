/// How a parameter that is no single value is written.
public enum ParameterStyle: Sendable {
    /// One item of a query for each element or member.
    case exploded
    /// All in one text, with commas.
    case commas
    /// All in one text with commas, where members are `name=value`.
    case assignments
    /// All in one text, with spaces.
    case spaces
    /// All in one text, with bars.
    case bars
    /// One item of a query for each member, called `name[member]`.
    case deepObject
    /// As JSON.
    case json

    /// The names and texts of a parameter in a query.
    func items(_ name: String, _ value: some JSONWritable) throws -> [(name: String, text: String)] {
        switch self {
        case .exploded: try FormValue.of(value)?.exploded(name) ?? []
        case .deepObject: try FormValue.of(value)?.bracketed(name) ?? []
        case .commas, .assignments, .spaces, .bars, .json: try text(value).map { [(name, $0)] } ?? []
        }
    }

    /// The one text of a parameter; nil for null.
    func text(_ value: some JSONWritable) throws -> String? {
        if self == .json { return String(decoding: try JSONBody.write(value), as: UTF8.self) }
        guard let value = try FormValue.of(value) else { return nil }
        if self == .assignments, case .members = value {
            return value.exploded("").map { "\($0)=\($1)" }.joined(separator: ",")
        }
        return value.texts.joined(separator: separator)
    }

    /// Reads what one text says.
    func read<Value: Decodable>(_ text: String) throws -> Value {
        if self == .json { return try JSONBody.decode(Array(text.utf8)) }
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        if let value: Value = try? FormDecoder.decode(parts.count == 1 ? .text(text) : .list(parts.map { .text($0) })) {
            return value
        }
        let pairs: [(String, String)] =
            self == .assignments
            ? parts.map { part in
                let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return (halves[0], halves.dropFirst().first ?? "")
            }
            : stride(from: 0, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
        return try FormDecoder.decode(.members(FormValue.members(of: pairs)))
    }

    /// Reads what the items of a query say; nil where none of them is of the parameter.
    func read<Value: Decodable>(_ name: String, _ items: [(String, String)]) throws -> Value? {
        switch self {
        case .exploded:
            if let own = FormValue.members(of: items.filter { $0.0 == name })[name] {
                return try FormDecoder.decode(own)
            }
            return try members(of: items)
        case .deepObject:
            let own = items.filter { $0.0 == name || $0.0.hasPrefix(name + "[") }
            guard let value = FormValue.members(of: own)[name] else { return nil }
            return try FormDecoder.decode(value)
        case .commas, .assignments, .spaces, .bars, .json:
            return try items.first { $0.0 == name }.map { try read($0.1) }
        }
    }

    /// Reads an object whose members are items of their own; nil where none of the items is one of them.
    private func members<Value: Decodable>(of items: [(String, String)]) throws -> Value? {
        guard !items.isEmpty, Value.self != OpenAPIValueContainer.self else { return nil }
        let values = FormValue.members(of: items)
        let reading = FormDecoder.Reading()
        let result = Result { try FormDecoder(.members(values), noting: reading).read() as Value }
        return reading.isOfAll || values.keys.contains(where: reading.names.contains) ? try result.get() : nil
    }

    private var separator: String {
        switch self {
        case .spaces: " "
        case .bars: "|"
        case .exploded, .commas, .assignments, .deepObject, .json: ","
        }
    }
}
