/// JSON Schemas that OpenAI holds responses and calls to: their objects have no members but those that are named, and
/// none of these may be left out. Anthropic asks for the former alone.
enum StrictSchema {
    /// - Returns: whether OpenAI takes the schema as a strict one, as far as its objects decide that.
    static func fits(_ schema: JSONValue) -> Bool {
        switch schema {
        case .object(let object):
            if isOfObjects(object), !namesAll(object) { return false }
            return object.members.allSatisfy { fits($0.value) }
        case .array(let elements): return elements.allSatisfy(fits)
        case .null, .bool, .number, .string: return true
        }
    }

    private static func isOfObjects(_ schema: JSONObject) -> Bool {
        schema["type"] == "object" || schema["type"]?.array?.contains("object") == true
    }

    private static func namesAll(_ schema: JSONObject) -> Bool {
        guard schema["additionalProperties"] == false else { return false }
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        return (schema["properties"]?.object?.members ?? []).allSatisfy { required.contains($0.name) }
    }
}
