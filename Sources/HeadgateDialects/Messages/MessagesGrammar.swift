/// Restricts JSON Schemas to the keywords that the provider enforces, because it rejects all others. The description
/// states the omitted keywords, as in the provider's own libraries.
struct MessagesGrammar {
    /// The keywords that were left out, each once.
    private(set) var lost: [String] = []

    /// The longest note about omitted keywords in a description, in bytes.
    private static let longestNote = 1024

    mutating func restricted(_ schema: JSONValue) -> JSONValue {
        guard let object = schema.object else { return schema }
        if let reference = object["$ref"]?.string { return restrictedReference(reference, object) }
        var written = JSONObject()
        var told = JSONObject()
        for member in object.members {
            if let value = value(of: member, in: object) {
                written[member.name == "oneOf" ? "anyOf" : member.name] = value
            } else if !Self.annotations.contains(member.name) {
                lose(member.name)
                told[member.name] = member.value
            }
        }
        if StrictSchema.isOfObjects(object) || object["properties"] != nil { written["additionalProperties"] = false }
        describe(told, in: &written)
        return .object(written)
    }

    /// Restricts a reference. The provider accepts no members next to a reference, and no reference to another
    /// document.
    private mutating func restrictedReference(_ reference: String, _ object: JSONObject) -> JSONValue {
        var written = JSONObject()
        for member in object.members where Self.maps.contains(member.name) {
            written[member.name] = restrictedEach(of: member.value)
        }
        guard reference.hasPrefix("#") else {
            lose("$ref")
            return .object(written)
        }
        written["$ref"] = .string(reference)
        return .object(written)
    }

    /// Returns the restricted value of a member; nil if the provider rejects the member.
    private mutating func value(of member: JSONObject.Member, in schema: JSONObject) -> JSONValue? {
        switch member.name {
        case "type", "const", "default", "title", "description", "required": return member.value
        case _ where Self.maps.contains(member.name): return restrictedEach(of: member.value)
        case "items":
            guard member.value.object != nil else { return nil }
            return restricted(member.value)
        case "anyOf": return restrictedAll(member.value)
        case "oneOf":
            lose(member.name)
            return schema["anyOf"] == nil ? restrictedAll(member.value) : nil
        case "allOf":
            let hasReference = member.value.array?.contains { $0["$ref"] != nil } ?? false
            return hasReference ? nil : restrictedAll(member.value)
        case "enum":
            let isPlain = member.value.array?.allSatisfy { $0.array == nil && $0.object == nil } ?? false
            return kept(member, if: isPlain)
        case "additionalProperties":
            if member.value != false { lose(member.name) }
            return false
        case "format": return kept(member, if: member.value.string.map(Self.formats.contains) == true)
        case "minItems": return kept(member, if: member.value == 0 || member.value == 1)
        case "pattern": return kept(member, if: member.value.string.map(Self.isPlain) == true)
        default: return nil
        }
    }

    private func kept(_ member: JSONObject.Member, if isTaken: Bool) -> JSONValue? {
        guard isTaken else { return nil }
        return member.value
    }

    private mutating func restrictedEach(of map: JSONValue) -> JSONValue {
        guard var schemas = map.object else { return map }
        for index in schemas.members.indices { schemas.members[index].value = restricted(schemas.members[index].value) }
        return .object(schemas)
    }

    private mutating func restrictedAll(_ schemas: JSONValue) -> JSONValue? {
        guard let schemas = schemas.array else { return nil }
        var written: [JSONValue] = []
        for schema in schemas { written.append(restricted(schema)) }
        return .array(written)
    }

    private mutating func lose(_ keyword: String) {
        if !lost.contains(keyword) { lost.append(keyword) }
    }

    private func describe(_ told: JSONObject, in schema: inout JSONObject) {
        guard !told.members.isEmpty else { return }
        let note = JSONValue.object(told).text
        guard note.utf8.count <= Self.longestNote else { return }
        let description = schema["description"]?.string.map { "\($0)\n\n" } ?? ""
        schema["description"] = .string("\(description)It must conform to \(note)")
    }

    /// Members that hold schemas under names chosen by the schema's author.
    private static let maps: Set = ["properties", "$defs", "definitions"]

    /// Members that do not constrain the value.
    private static let annotations: Set = [
        "$schema", "$id", "$anchor", "$comment", "deprecated", "readOnly", "writeOnly", "discriminator", "examples",
        "example",
    ]

    private static let formats: Set = [
        "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid",
    ]

    /// Returns whether a pattern has no lookaround, word boundaries, Unicode properties or back references.
    private static func isPlain(_ pattern: String) -> Bool {
        guard !pattern.contains("(?") else { return false }
        var isEscaped = false
        for character in pattern {
            if isEscaped,
                character == "b" || character == "B" || character == "p" || character == "P"
                    || ("1"..."9").contains(character)
            {
                return false
            }
            isEscaped = !isEscaped && character == "\\"
        }
        return true
    }
}
