extension ResponsesRequestReader {
    mutating func readTools(_ tools: [JSONValue], at path: String) throws(TranslationError) {
        for (index, tool) in tools.enumerated() {
            let path = "\(path)[\(index)]"
            try readTool(tool.requireObject(path), in: nil, at: path)
        }
    }

    private mutating func readTool(
        _ tool: JSONObject, in namespace: String?, at path: String
    ) throws(TranslationError) {
        switch try tool.requireString("type", in: path) {
        case "function":
            var function = Tool.Function(name: try name(of: tool, in: namespace, at: path))
            function.description = try tool.string("description", in: path)
            function.parameters = .object(try tool.present("parameters")?.requireObject("\(path).parameters"))
            function.isStrict = try tool.present("strict")?.requireBool("\(path).strict")
            dropOthers(of: tool, ["type", "name", "description", "parameters", "strict"])
            request.tools.append(.function(function))
        case "custom":
            dropOthers(of: tool, ["type", "name", "description", "format"])
            request.tools.append(
                .custom(
                    name: try name(of: tool, in: namespace, at: path),
                    description: try tool.string("description", in: path),
                    format: try format(of: tool, at: path)))
        case "namespace":
            let namespace = try tool.requireString("name", in: path)
            // The namespace's description is not needed, because its tools have their own.
            dropUnknown(of: tool, at: "tools[]", ["type", "name", "tools"])
            let path = "\(path).tools"
            for (index, tool) in try (tool["tools"] ?? []).requireArray(path).enumerated() {
                let path = "\(path)[\(index)]"
                try readTool(tool.requireObject(path), in: namespace, at: path)
            }
        // A tool that the provider runs, or that the client runs in a special way.
        case let type: losses.drop(member: type.isWord ? "tools[].\(type)" : Feature.hostedTools.name(in: .responses))
        }
    }

    private mutating func dropOthers(of tool: JSONObject, _ known: Set<String>) {
        var known = known
        if tool["allowed_callers"] == ["direct"] { known.insert("allowed_callers") }
        dropUnknown(of: tool, at: "tools[]", known)
    }

    private func name(
        of tool: JSONObject, in namespace: String?, at path: String
    ) throws(TranslationError) -> String {
        names.flatName(of: try tool.requireString("name", in: path), in: namespace)
    }

    /// Returns the grammar of a tool in its flat form; nil for plain text.
    private func format(of tool: JSONObject, at path: String) throws(TranslationError) -> JSONValue? {
        guard let format = try tool.present("format")?.requireObject("\(path).format"), format["type"] != "text" else {
            return nil
        }
        return .object(format)
    }

    mutating func toolChoice(_ value: JSONValue) throws(TranslationError) -> ToolChoice {
        if let word = value.string { return try choice(word, at: "tool_choice") }
        let object = try value.requireObject("tool_choice")
        switch try object.requireString("type", in: "tool_choice") {
        case "function", "custom": return .named(try flatName(in: object, at: "tool_choice"))
        // Anthropic's form, which some clients send here.
        case "tool":
            return object.present("name") == nil ? .required : .named(try flatName(in: object, at: "tool_choice"))
        case "allowed_tools": return try allowedTools(object)
        case let word: return try choice(word, at: "tool_choice.type")
        }
    }

    private func choice(_ word: String, at path: String) throws(TranslationError) -> ToolChoice {
        switch word {
        case "auto": return .auto
        case "none": return .none
        case "required", "any": return .required
        default:
            throw TranslationError(
                "'\(path)' has the value '\(word)', which the upstream of this model does not have: use 'auto', "
                    + "'required', 'none' or one of your functions.",
                member: path)
        }
    }

    private mutating func allowedTools(_ object: JSONObject) throws(TranslationError) -> ToolChoice {
        let path = "tool_choice.tools"
        var allowed: [String] = []
        for (index, tool) in try (object["tools"] ?? []).requireArray(path).enumerated() {
            let path = "\(path)[\(index)]"
            let tool = try tool.requireObject(path)
            switch try tool.requireString("type", in: path) {
            case "function", "custom": allowed.append(try flatName(in: tool, at: path))
            default: losses.drop(member: "tool_choice.tools[].type")
            }
        }
        return .allowed(allowed, isRequired: object["mode"] == "required")
    }

    private func flatName(in object: JSONObject, at path: String) throws(TranslationError) -> String {
        let name = try object.requireString("name", in: path)
        return names.flatName(of: name, in: try object.string("namespace", in: path))
    }
}

extension JSONValue {
    fileprivate static func object(_ object: JSONObject?) -> JSONValue? { object.map { .object($0) } }
}

extension String {
    /// Whether the string is a short lower-case word, as the names of types are, and so safe in a header.
    fileprivate var isWord: Bool {
        utf8.count <= 48
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: byte == UInt8(ascii: "_")
                }
            }
    }
}
