/// Members of a request that every response of the Responses API repeats.
enum ResponsesEcho {
    /// - Returns: All these members, with defaults for those that the request leaves out.
    static func members(of request: JSONObject) -> JSONObject {
        var echo = JSONObject()
        for member in usual.members { echo[member.name] = completed(request.present(member.name), member.value) }
        return echo
    }

    /// Returns the value with defaults for members that the client left out, including those inside objects.
    private static func completed(_ value: JSONValue?, _ usual: JSONValue) -> JSONValue {
        guard let value else { return usual }
        guard var object = value.object, let usual = usual.object else { return value }
        for member in usual.members where object[member.name] == nil { object[member.name] = member.value }
        return .object(object)
    }

    private static let usual = JSONObject([
        .init(name: "instructions", value: nil),
        .init(name: "max_output_tokens", value: nil),
        .init(name: "max_tool_calls", value: nil),
        .init(name: "metadata", value: [:]),
        .init(name: "parallel_tool_calls", value: true),
        .init(name: "prompt_cache_key", value: nil),
        .init(name: "reasoning", value: ["effort": nil, "summary": nil]),
        .init(name: "safety_identifier", value: nil),
        .init(name: "temperature", value: nil),
        .init(name: "text", value: ["format": ["type": "text"]]),
        .init(name: "tool_choice", value: "auto"),
        .init(name: "tools", value: []),
        .init(name: "top_p", value: nil),
        .init(name: "user", value: nil),
    ])
}
