/// A chat request as the body of OpenAI's Responses.
struct ResponsesRequest {
    let request: ChatRequest

    func body(isStream: Bool) throws -> [UInt8] {
        let options = request.options
        var members: [String: JSONValue] = [
            "model": .string(request.model), "input": .array(request.messages.flatMap(\.items)), "store": false,
        ]
        members["max_output_tokens"] = options.maximumResponseTokens.map(JSONValue.integer)
        members["temperature"] = options.temperature.map(JSONValue.number)
        members["top_p"] = options.topP.map(JSONValue.number)
        members["text"] = options.responseFormat.map { ["format": $0.responsesForm] }
        if !request.tools.isEmpty {
            members["tools"] = .array(request.tools.map(\.responsesForm))
            members["tool_choice"] = options.toolChoice?.responsesForm
            members["parallel_tool_calls"] = options.allowsParallelToolCalls.map(JSONValue.bool)
        }
        if isStream { members["stream"] = true }
        return try JSONCoding.encode(members.merging(options.additional) { _, mine in mine })
    }
}

extension ToolDefinition {
    /// The tool for the Responses API. Strict mode is the default there, but an app's schema might not be valid for it.
    fileprivate var responsesForm: JSONValue {
        [
            "type": "function", "name": .string(name), "description": .string(description), "parameters": parameters,
            "strict": false,
        ]
    }
}

extension ChatMessage {
    fileprivate var items: [JSONValue] {
        if role == .tool {
            return [
                ["type": "function_call_output", "call_id": .string(toolCallID ?? ""), "output": .string(text)]
            ]
        }
        let calls: [JSONValue] = toolCalls.map { call in
            [
                "type": "function_call", "call_id": .string(call.id), "name": .string(call.name),
                "arguments": .string(call.arguments.allSatisfy(\.isWhitespace) ? "{}" : call.arguments),
            ]
        }
        return (said.map { [["role": .string(role.rawValue), "content": $0]] } ?? []) + calls
    }

    /// Content of the message. Only user content can have parts; the model's own content is a string.
    private var said: JSONValue? {
        guard role == .user, case .parts(let parts)? = content else {
            let text = text.isEmpty ? refusal ?? "" : text
            return text.isEmpty ? nil : .string(text)
        }
        return .array(
            parts.map { part in
                switch part {
                case .text(let text): ["type": "input_text", "text": .string(text)]
                case .image(let url): ["type": "input_image", "image_url": .string(url)]
                case .other(let value):
                    value.fileOfChat.map { name, data in
                        ["type": "input_file", "filename": .string(name ?? "file"), "file_data": .string(data)]
                    } ?? value
                }
            })
    }
}
