extension ResponsesRequestDraft {
    mutating func addTools() {
        if !request.tools.isEmpty {
            var tools: [JSONValue] = []
            for tool in request.tools { tools.append(write(tool)) }
            body["tools"] = .array(tools)
            if let allows = request.allowsParallelCalls { body["parallel_tool_calls"] = .bool(allows) }
        }
        if let choice = request.toolChoice { addChoice(choice) }
    }

    private mutating func write(_ tool: Tool) -> JSONValue {
        var written: JSONObject
        switch tool {
        case .function(let function):
            written = ["type": "function", "name": .string(toolNames.name(for: function.name))]
            if let description = function.description { written["description"] = .string(description) }
            written["parameters"] = function.parameters ?? ["type": "object", "properties": [:]]
            // The provider's default is true.
            written["strict"] = .bool(function.isStrict ?? false)
            if function.cacheMarker != nil { losses.drop(.cacheMarkers) }
        case .custom(let name, let description, let format):
            written = ["type": "custom", "name": .string(toolNames.name(for: name))]
            if let description { written["description"] = .string(description) }
            if let format { written["format"] = format }
        }
        return .object(written)
    }

    private mutating func addChoice(_ choice: ToolChoice) {
        switch choice {
        case .auto: if !request.tools.isEmpty { body["tool_choice"] = "auto" }
        case .none: if !request.tools.isEmpty { body["tool_choice"] = "none" }
        case .required: body["tool_choice"] = "required"
        case .named(let name): body["tool_choice"] = reference(to: name)
        case .allowed(let names, let isRequired):
            var tools: [JSONValue] = []
            for name in names { tools.append(reference(to: name)) }
            body["tool_choice"] = [
                "type": "allowed_tools", "mode": isRequired ? "required" : "auto", "tools": .array(tools),
            ]
        }
    }

    private mutating func reference(to name: String) -> JSONValue {
        let isCustom = request.tools.contains { tool in
            if case .custom(name, _, _) = tool { true } else { false }
        }
        return ["type": isCustom ? "custom" : "function", "name": .string(toolNames.name(for: name))]
    }
}
