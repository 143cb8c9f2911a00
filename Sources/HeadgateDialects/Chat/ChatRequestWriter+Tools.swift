extension ChatRequestWriter {
    mutating func writeTools(_ request: ModelRequest) {
        var tools = request.tools
        var choice = request.toolChoice
        // Only OpenAI supports a choice among some of the tools. Other providers receive only those tools.
        if case .allowed(let allowed, let isRequired) = choice, !isOpenAI {
            tools.removeAll { !allowed.contains($0.name) }
            choice = isRequired ? .required : .auto
        }
        guard !tools.isEmpty else { return }
        body["tools"] = .array(tools.map { document($0) })
        if let choice { body["tool_choice"] = document(choice, of: tools) }
        body["parallel_tool_calls"] = request.allowsParallelCalls.map(JSONValue.bool)
    }

    private mutating func document(_ tool: Tool) -> JSONValue {
        switch tool {
        case .function(let function):
            if function.cacheMarker != nil { losses.drop(.cacheMarkers) }
            return self.function(
                function.name, function.description, function.parameters, isStrict: function.isStrict)
        case .custom(let name, let description, let format):
            return isOpenAI ? custom(name, description, format) : wrapped(name, description, format)
        }
    }

    private mutating func function(
        _ name: String, _ description: String?, _ parameters: JSONValue?, isStrict: Bool? = nil
    ) -> JSONValue {
        var function = JSONObject()
        function["name"] = .string(toolNames.name(for: name))
        function["description"] = description.map(JSONValue.string)
        function["parameters"] = parameters
        function["strict"] = isStrict.map(JSONValue.bool)
        return ["type": "function", "function": .object(function)]
    }

    private mutating func custom(_ name: String, _ description: String?, _ format: JSONValue?) -> JSONValue {
        var custom = JSONObject()
        custom["name"] = .string(toolNames.name(for: name))
        custom["description"] = description.map(JSONValue.string)
        custom["format"] = format.map(ChatTools.nestedFormat)
        return ["type": "custom", "custom": .object(custom)]
    }

    /// Returns a tool with free-text input as a function with one string parameter. Its description contains the
    /// grammar.
    private mutating func wrapped(_ name: String, _ description: String?, _ format: JSONValue?) -> JSONValue {
        var words = description.map { [$0] } ?? []
        if let grammar = format?["definition"]?.string {
            words.append("The input follows this grammar (\(format?["syntax"]?.string ?? "lark")):\n\(grammar)")
            losses.drop(.customTools)
        }
        return function(name, words.isEmpty ? nil : words.joined(separator: "\n\n"), ChatTools.inputSchema)
    }

    private mutating func document(_ choice: ToolChoice, of tools: [Tool]) -> JSONValue {
        switch choice {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .named(let name): reference(to: name, in: tools)
        case .allowed(let allowed, let isRequired):
            [
                "type": "allowed_tools",
                "allowed_tools": [
                    "mode": isRequired ? "required" : "auto",
                    "tools": .array(allowed.map { reference(to: $0, in: tools) }),
                ],
            ]
        }
    }

    private mutating func reference(to name: String, in tools: [Tool]) -> JSONValue {
        let isCustom = isOpenAI && tools.contains { if case .custom(name, _, _) = $0 { true } else { false } }
        let kind = isCustom ? "custom" : "function"
        return .object(["type": .string(kind), kind: ["name": .string(toolNames.name(for: name))]])
    }
}
