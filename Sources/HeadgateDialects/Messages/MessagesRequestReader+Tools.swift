extension MessagesRequestReading {
    mutating func readTools() throws(TranslationError) {
        guard let tools = try body.present("tools")?.requireArray("tools") else { return }
        for (index, tool) in tools.enumerated() {
            let path = "tools[\(index)]"
            let tool = try tool.requireObject(path)
            if let type = try tool.string("type", in: path), type != "custom" {
                losses.drop(member: "tools[].\(type)")
            } else {
                request.tools.append(.function(try function(tool, at: path)))
            }
        }
    }

    private mutating func function(_ tool: JSONObject, at path: String) throws(TranslationError) -> Tool.Function {
        var function = Tool.Function(name: try tool.requireString("name", in: path))
        function.description = try tool.string("description", in: path)
        function.parameters = tool.present("input_schema")
        function.isStrict = try tool.present("strict")?.requireBool("\(path).strict")
        if function.isStrict == true, !StrictSchema.fits(function.parameters ?? [:]) {
            losses.drop(.strictTools)
            function.isStrict = false
        }
        function.cacheMarker = cacheMarker(tool["cache_control"])
        var known: Set = ["type", "name", "description", "input_schema", "strict", "cache_control"]
        for name in ["defer_loading", "eager_input_streaming"] where tool[name] == false { known.insert(name) }
        if tool["allowed_callers"] == ["direct"] { known.insert("allowed_callers") }
        dropOthers(of: tool, than: known, at: "tools[]")
        return function
    }

    /// Reads the choice after the tools, because a dropped tool cannot be chosen.
    mutating func readToolChoice() throws(TranslationError) {
        guard let choice = try body.present("tool_choice")?.requireObject("tool_choice") else { return }
        let type = try choice.requireString("type", in: "tool_choice")
        switch type {
        case "auto": request.toolChoice = .auto
        case "none": request.toolChoice = ToolChoice.none
        case "any": try require(choice, nil)
        case "tool": try require(choice, try choice.requireString("name", in: "tool_choice"))
        default:
            throw TranslationError(
                "'tool_choice.type' is '\(type)': it must be 'auto', 'any', 'tool' or 'none'.",
                member: "tool_choice.type")
        }
        if let isDisabled = try choice.present("disable_parallel_tool_use")?.requireBool(
            "tool_choice.disable_parallel_tool_use")
        {
            request.allowsParallelCalls = !isDisabled
        }
        dropOthers(of: choice, than: ["type", "name", "disable_parallel_tool_use"], at: "tool_choice")
    }

    /// - Parameter name: The tool that must be called; nil for any tool.
    private mutating func require(_ choice: JSONObject, _ name: String?) throws(TranslationError) {
        let isKnown = name.map { name in request.tools.contains { $0.name == name } } ?? !request.tools.isEmpty
        guard isKnown else {
            let wanted = name.map { "the tool '\($0)'" } ?? "a tool"
            throw TranslationError(
                "'tool_choice' demands \(wanted), and 'tools' has none that the upstream of this model can be told of: "
                    + "tools that have a 'type' are the provider's own.", member: "tool_choice")
        }
        request.toolChoice = name.map { .named($0) } ?? .required
    }
}
