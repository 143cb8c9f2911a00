extension MessagesRequestDraft {
    /// Instruction about the response format, if the provider cannot enforce one.
    var formatInstruction: String? {
        let instruction = "Answer with one JSON object and nothing else: no other text, no Markdown fence."
        switch request.format {
        case .text?, nil: return nil
        case .json?: return instruction
        case .schema(let schema, _, _, _)?:
            return holds(to: schema) ? nil : "\(instruction) It conforms to this JSON Schema: \(schema.text)"
        }
    }

    /// Writes `thinking` and `output_config`.
    mutating func addOutput(_ thinking: MessagesThinking) {
        var output = JSONObject()
        switch thinking {
        case .usual: break
        case .budget(let tokens): body["thinking"] = ["type": "enabled", "budget_tokens": .integer(tokens)]
        case .adaptive(let effort, let display):
            var value: JSONObject = ["type": "adaptive"]
            if let display { value["display"] = .string(display) }
            body["thinking"] = .object(value)
            if let effort { output["effort"] = .string(effort) }
        }
        if let format = format() { output["format"] = format }
        if !output.members.isEmpty { body["output_config"] = .object(output) }
    }

    private mutating func format() -> JSONValue? {
        guard case .schema(let schema, let name, let description, _) = request.format else { return nil }
        guard holds(to: schema) else {
            losses.drop(.responseFormat)
            return nil
        }
        var named = schema
        // The format has no other place for the client's name and description.
        if case .object(var object) = schema {
            if let name, object["title"] == nil { object["title"] = .string(name) }
            if let description, object["description"] == nil { object["description"] = .string(description) }
            named = .object(object)
        }
        var grammar = MessagesGrammar()
        let restricted = grammar.restricted(named)
        let member = Feature.responseFormat.name(in: losses.client)
        for keyword in grammar.lost { losses.drop(member: "\(member).\(keyword)") }
        return ["type": "json_schema", "schema": restricted]
    }

    /// Returns whether the provider enforces the schema.
    private func holds(to schema: JSONValue) -> Bool {
        claude.takesSchemas && !(schema.object.map(MessagesSchema.isRecursive) ?? false)
    }
}
