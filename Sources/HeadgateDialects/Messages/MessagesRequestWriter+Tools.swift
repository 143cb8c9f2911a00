extension MessagesRequestDraft {
    /// Returns the tools for the model. They are named before the calls in the history, so that they keep their names.
    mutating func tools() throws(TranslationError) -> [JSONValue] {
        var tools = request.tools
        if case .allowed(let names, _) = request.toolChoice {
            tools.removeAll { !names.contains($0.name) }
            guard !tools.isEmpty else {
                throw TranslationError(
                    "None of the tools that 'tool_choice' allows is in 'tools': add them there.",
                    member: Feature.toolChoice.name(in: losses.client))
            }
        }
        var written: [JSONValue] = []
        for tool in tools { written.append(value(of: tool)) }
        return written
    }

    private mutating func value(of tool: Tool) -> JSONValue {
        switch tool {
        case .function(let function):
            var value: JSONObject = ["name": .string(toolNames.name(for: function.name))]
            if let description = function.description, !description.isEmpty {
                value["description"] = .string(description)
            }
            addSchema(of: function, to: &value)
            markers.put(function.cacheMarker, on: &value, &losses)
            return .object(value)
        case .custom(let name, let description, let format):
            var value: JSONObject = ["name": .string(toolNames.name(for: name))]
            var texts: [String] = []
            if let description, !description.isEmpty { texts.append(description) }
            if let grammar = format?["grammar"] ?? format, let definition = grammar["definition"]?.string {
                // The model can read the grammar, although the provider does not enforce it.
                losses.drop(.customTools)
                let syntax = grammar["syntax"]?.string.map { " (\($0))" } ?? ""
                texts.append("The input follows this grammar\(syntax):\n\(definition)")
            }
            if !texts.isEmpty { value["description"] = .string(texts.joined(separator: "\n\n")) }
            value["input_schema"] = MessagesToolInput.schema
            return .object(value)
        }
    }

    private mutating func addSchema(of function: Tool.Function, to value: inout JSONObject) {
        var lost: [String] = []
        var schema = MessagesSchema.parameters(function.parameters, losing: &lost)
        var isStrict = function.isStrict == true
        if isStrict, !claude.takesSchemas || !MessagesSchema.canBeStrict(schema) {
            losses.drop(.strictTools)
            isStrict = false
        }
        if isStrict {
            var grammar = MessagesGrammar()
            schema = grammar.restricted(schema)
            lost += grammar.lost
        }
        value["input_schema"] = schema
        if isStrict { value["strict"] = true }
        for keyword in lost { losses.drop(member: "\(losses.client.parametersMember).\(keyword)") }
    }

    /// Writes the tools and how the model can choose among them.
    mutating func addTools(_ tools: [JSONValue], _ thinking: MessagesThinking) {
        guard tools.isEmpty else {
            body["tools"] = .array(tools)
            if let choice = toolChoice(thinking) { body["tool_choice"] = choice }
            return
        }
        if request.toolChoice?.isForced == true { losses.drop(.toolChoice) }
        // The provider requires tools if the history has calls, even if the model must not make further calls.
        let names = toolNames.all
        guard !names.isEmpty else { return }
        body["tools"] = .array(
            names.map { ["name": .string($0), "input_schema": MessagesSchema.empty] })
        body["tool_choice"] = ["type": "none"]
    }

    private mutating func toolChoice(_ thinking: MessagesThinking) -> JSONValue? {
        var choice = request.toolChoice
        if choice?.isForced == true, thinking.isOn || !claude.takesForcedTools {
            losses.drop(.toolChoice)
            choice = .auto
        }
        var value: JSONObject
        switch choice {
        case .none?: return ["type": "none"]
        case .required?, .allowed(_, isRequired: true)?: value = ["type": "any"]
        case .named(let name)?: value = ["type": "tool", "name": .string(toolNames.name(for: name))]
        case .auto?, .allowed(_, isRequired: false)?: value = ["type": "auto"]
        case nil:
            guard request.allowsParallelCalls == false else { return nil }
            value = ["type": "auto"]
        }
        if request.allowsParallelCalls == false { value["disable_parallel_tool_use"] = true }
        return .object(value)
    }
}

extension ToolChoice {
    fileprivate var isForced: Bool {
        switch self {
        case .required, .named, .allowed(_, isRequired: true): true
        case .auto, .none, .allowed(_, isRequired: false): false
        }
    }
}

extension ClientFormat {
    /// The member of a tool that holds its schema.
    fileprivate var parametersMember: String {
        switch self {
        case .chat, .ollamaChat, .ollamaGenerate: "tools[].function.parameters"
        case .messages: "tools[].input_schema"
        case .responses: "tools[].parameters"
        }
    }
}
