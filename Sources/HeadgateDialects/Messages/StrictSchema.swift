/// JSON Schemas that OpenAI enforces for responses and calls: objects have only the named members, and all of them are
/// required. Anthropic requires only that objects have no other members.
enum StrictSchema {
    /// - Returns: Whether OpenAI accepts the schema as strict, as far as its objects decide that.
    static func fits(_ schema: JSONValue) -> Bool {
        switch schema {
        case .object(let object):
            if isOfObjects(object), !namesAll(object) { return false }
            return object.members.allSatisfy { fits($0.value) }
        case .array(let elements): return elements.allSatisfy(fits)
        case .null, .bool, .number, .string: return true
        }
    }

    /// Returns the schema with `additionalProperties` set to false on every object that does not set it.
    static func closed(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .array(let elements): return .array(elements.map(closed))
        case .object(var object):
            for index in object.members.indices {
                let member = object.members[index]
                if !MessagesSchema.literals.contains(member.name) {
                    object.members[index].value =
                        maps.contains(member.name) ? closedEach(of: member.value) : closed(member.value)
                }
            }
            if isOfObjects(object), object["additionalProperties"] == nil { object["additionalProperties"] = false }
            return .object(object)
        default: return schema
        }
    }

    private static func closedEach(of map: JSONValue) -> JSONValue {
        guard var schemas = map.object else { return map }
        for index in schemas.members.indices { schemas.members[index].value = closed(schemas.members[index].value) }
        return .object(schemas)
    }

    /// Members that hold schemas under names chosen by the schema's author.
    private static let maps: Set = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]

    static func isOfObjects(_ schema: JSONObject) -> Bool {
        schema["type"] == "object" || schema["type"]?.array?.contains("object") == true
    }

    private static func namesAll(_ schema: JSONObject) -> Bool {
        guard schema["additionalProperties"] == false else { return false }
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        return (schema["properties"]?.object?.members ?? []).allSatisfy { required.contains($0.name) }
    }
}
