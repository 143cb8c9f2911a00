extension ChatRequestReader {
    mutating func readTools(_ tools: [JSONValue]) throws(TranslationError) {
        for (index, tool) in tools.enumerated() {
            let path = "tools[\(index)]"
            let object = try tool.requireObject(path)
            switch try object.requireString("type", in: path) {
            case "function":
                guard let function = try object["function"]?.requireObject("\(path).function") else {
                    throw .missing("\(path).function")
                }
                dropUnknown(of: object, at: "tools[]", ["type", "function", "cache_control"])
                var read = try readFunction(function, at: "\(path).function", named: "tools[].function")
                read.cacheMarker = cacheMarker(object) ?? cacheMarker(function)
                request.tools.append(.function(read))
            case "custom":
                guard let custom = try object["custom"]?.requireObject("\(path).custom") else {
                    throw .missing("\(path).custom")
                }
                dropUnknown(of: object, at: "tools[]", ["type", "custom"])
                dropUnknown(of: custom, at: "tools[].custom", ["name", "description", "format"])
                request.tools.append(
                    .custom(
                        name: try custom.requireString("name", in: "\(path).custom"),
                        description: try custom.string("description", in: "\(path).custom"),
                        format: custom.present("format").map(ChatTools.flatFormat)))
            // A tool that the provider runs itself.
            case let type: losses.drop(member: "tools[].\(type)")
            }
        }
    }

    mutating func readFunctions(_ functions: [JSONValue]) throws(TranslationError) {
        for (index, function) in functions.enumerated() {
            let path = "functions[\(index)]"
            let read = try readFunction(function.requireObject(path), at: path, named: "functions[]")
            request.tools.append(.function(read))
        }
        // A client that sends `functions` can handle only one call per response.
        request.allowsParallelCalls = false
    }

    private mutating func readFunction(
        _ function: JSONObject, at path: String, named: String
    ) throws(TranslationError) -> Tool.Function {
        dropUnknown(of: function, at: named, ["name", "description", "parameters", "strict", "cache_control"])
        let name = try function.requireString("name", in: path)
        let parameters = try function.present("parameters")?.requireObject("\(path).parameters")
        return Tool.Function(
            name: name, description: try function.string("description", in: path),
            parameters: parameters.map(JSONValue.object),
            isStrict: try function.present("strict")?.requireBool("\(path).strict"))
    }

    func toolChoice(_ value: JSONValue) throws(TranslationError) -> ToolChoice {
        if let word = value.string { return try choice(word, at: "tool_choice") }
        let object = try value.requireObject("tool_choice")
        switch try object.requireString("type", in: "tool_choice") {
        case "function": return .named(try name(in: object, "function"))
        case "custom": return .named(try name(in: object, "custom"))
        // Anthropic's forms of the choice, which some clients send here.
        case "tool": return .named(try object.requireString("name", in: "tool_choice"))
        case "allowed_tools":
            let path = "tool_choice.allowed_tools"
            guard let allowed = try object["allowed_tools"]?.requireObject(path) else { throw .missing(path) }
            return try allowedTools(allowed, at: path)
        case let word: return try choice(word, at: "tool_choice.type")
        }
    }

    func legacyChoice(_ value: JSONValue) throws(TranslationError) -> ToolChoice {
        if let word = value.string { return try choice(word, at: "function_call") }
        return .named(try value.requireObject("function_call").requireString("name", in: "function_call"))
    }

    private func choice(_ word: String, at path: String) throws(TranslationError) -> ToolChoice {
        switch word {
        case "auto": .auto
        case "none": .none
        case "required", "any": .required
        default: throw TranslationError("'\(path)' has the unknown value '\(word)'.", member: path)
        }
    }

    private func allowedTools(_ allowed: JSONObject, at path: String) throws(TranslationError) -> ToolChoice {
        var names: [String] = []
        for (index, tool) in try (allowed["tools"] ?? []).requireArray("\(path).tools").enumerated() {
            let path = "\(path).tools[\(index)]"
            let tool = try tool.requireObject(path)
            names.append(try nested(tool).requireString("name", in: path))
        }
        return .allowed(names, isRequired: allowed["mode"] == "required")
    }

    private func name(in choice: JSONObject, _ kind: String) throws(TranslationError) -> String {
        try nested(choice).requireString("name", in: "tool_choice.\(kind)")
    }

    /// Returns the object that holds the name: the member named after the type, or the tool itself as in the Responses
    /// API.
    private func nested(_ tool: JSONObject) -> JSONObject {
        tool["function"]?.object ?? tool["custom"]?.object ?? tool
    }
}
