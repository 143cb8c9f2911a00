/// Name of a JSON member that is not known at compile time.
struct MemberName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringLiteral name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue _: Int) { nil }
}

extension KeyedDecodingContainer<MemberName> {
    /// Returns the members without a property. Values that cannot be represented, such as numbers out of range, are
    /// left out, because they do not invalidate the rest.
    func additional(besides known: Set<String>) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for key in allKeys where !known.contains(key.stringValue) {
            members[key.stringValue] = try? decode(JSONValue.self, forKey: key)
        }
        return members
    }

    /// Returns a time in whole seconds; nil if it is missing or invalid. Some servers send fractions.
    func seconds(forKey key: MemberName) -> Int? {
        guard let value = try? decodeIfPresent(Double.self, forKey: key) else { return nil }
        return Int(exactly: value.rounded(.down))
    }
}

extension KeyedEncodingContainer<MemberName> {
    /// Writes the members without a property.
    mutating func encodeAdditional(_ members: [String: JSONValue]) throws {
        for (name, value) in members { try encode(value, forKey: MemberName(name)) }
    }
}
