/// JSON Schemas as the format wants them.
enum MessagesSchema {
    /// Of a tool: always that of an object.
    static func parameters(_ schema: JSONValue?) -> JSONValue {
        guard var object = schema?.object, !object.members.isEmpty else {
            return ["type": "object", "properties": .object([:])]
        }
        if object["type"] == nil { object["type"] = "object" }
        return .object(object)
    }

    /// Of a response: the provider wants each object to say that it has no members but those that are named.
    static func closed(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .array(let elements): return .array(elements.map(closed))
        case .object(var object):
            for index in object.members.indices {
                let member = object.members[index]
                if !literals.contains(member.name) {
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

    /// Members that hold schemas by names that the schema's author chose.
    private static let maps: Set = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]
    /// Members that hold values and no schemas.
    private static let literals: Set = ["enum", "const", "default", "examples", "required"]

    private static func isOfObjects(_ schema: JSONObject) -> Bool {
        schema["type"] == "object" || schema["type"]?.array?.contains("object") == true
    }
}
