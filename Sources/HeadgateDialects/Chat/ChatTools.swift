/// Tools in requests and responses of chat completions.
enum ChatTools {
    /// Parameters of a function that represents a tool with free-text input.
    static let inputSchema: JSONValue = [
        "type": "object", "properties": ["input": ["type": "string"]],
        "required": ["input"], "additionalProperties": false,
    ]

    /// Returns the arguments of such a function for a free text.
    static func wrapped(_ text: String) -> String { (["input": .string(text)] as JSONValue).text }

    /// Returns the text in such a function's arguments, or the arguments themselves if they have another form.
    static func unwrapped(_ arguments: String) -> String {
        guard let object = (try? JSONValue(Array(arguments.utf8)))?.object, let text = object["input"]?.string else {
            return arguments
        }
        return text
    }

    /// Returns the format of a custom tool in the flat form of the Responses API and the neutral format.
    static func flatFormat(_ format: JSONValue) -> JSONValue {
        guard var flat = format.object, let grammar = flat["grammar"]?.object else { return format }
        flat["grammar"] = nil
        flat.members += grammar.members
        return .object(flat)
    }

    static func nestedFormat(_ format: JSONValue) -> JSONValue {
        guard let flat = format.object, let type = flat["type"], type == "grammar" else { return format }
        var grammar = flat
        grammar["type"] = nil
        return ["type": type, "grammar": .object(grammar)]
    }

    /// Returns an element of `tool_calls`.
    static func call(id: String, name: String, arguments: String) -> JSONValue {
        let arguments = arguments.isEmpty ? ToolCall.noArguments : arguments
        return [
            "id": .string(id), "type": "function",
            "function": ["name": .string(name), "arguments": .string(arguments)],
        ]
    }

    /// Returns the provider-specific members of a tool call and of its function.
    static func members(of call: JSONValue) -> JSONObject {
        var members = JSONObject()
        for member in call.object?.members ?? [] where !common.contains(member.name) && !member.value.isNull {
            members[member.name] = member.value
        }
        let inner = (call["function"]?.object?.members ?? []).filter {
            !commonOfFunctions.contains($0.name) && !$0.value.isNull
        }
        if !inner.isEmpty { members["function"] = .object(JSONObject(inner)) }
        return members
    }

    /// Returns the call with provider-specific members added.
    static func adding(_ members: JSONObject, to call: JSONValue) -> JSONValue {
        guard !members.members.isEmpty, var object = call.object else { return call }
        for member in members.members where !common.contains(member.name) { object[member.name] = member.value }
        if var function = object["function"]?.object {
            for member in members["function"]?.object?.members ?? [] where !commonOfFunctions.contains(member.name) {
                function[member.name] = member.value
            }
            object["function"] = .object(function)
        }
        return .object(object)
    }

    private static let common: Set<String> = ["id", "type", "index", "function", "custom"]
    private static let commonOfFunctions: Set<String> = ["name", "arguments", "index"]

    static func customCall(id: String, name: String, input: String) -> JSONValue {
        ["id": .string(id), "type": "custom", "custom": ["name": .string(name), "input": .string(input)]]
    }
}
