/// Writes whole chat completions with one choice.
enum ChatResponseWriter: ResponseWriter {
    static func write(_ response: ModelResponse, _ context: ResponseContext) -> JSONObject {
        var document = JSONObject()
        document["id"] = .string(id(context))
        document["object"] = "chat.completion"
        document["created"] = .integer(context.created)
        document["model"] = .string(context.model)
        document["choices"] = [
            [
                "index": 0, "message": message(response.contents, context), "logprobs": nil,
                "finish_reason": .string(ChatFinish.reason(response.end, context)),
            ]
        ]
        document["usage"] = response.usage.map(ChatUsage.document)
        return document
    }

    static func id(_ context: ResponseContext) -> String { "chatcmpl-\(context.id)" }

    private static func message(_ contents: [Content], _ context: ResponseContext) -> JSONValue {
        var text: String?
        var refusal: String?
        var reasoning: String?
        var blocks: [JSONValue] = []
        var calls: [JSONValue] = []
        for content in contents {
            switch content {
            case .text(let more): text.append(more)
            case .refusal(let more): refusal.append(more)
            case .reasoning(let thought):
                if !thought.text.isEmpty { reasoning.append(thought.text) }
                if let seal = thought.seal { blocks.append(ChatReasoning.block(thought.text, seal)) }
            case .toolCall(let call): calls.append(self.call(call, context))
            case .image, .document, .toolResult: continue
            }
        }
        var message = JSONObject()
        message["role"] = "assistant"
        // An empty response has an empty string as its content.
        let isSilent = refusal == nil && calls.isEmpty
        message["content"] = text.map(JSONValue.string) ?? (isSilent ? "" : .null)
        message["refusal"] = refusal.map(JSONValue.string) ?? .null
        message["reasoning_content"] = reasoning.map(JSONValue.string)
        if !blocks.isEmpty { message["thinking_blocks"] = .array(blocks) }
        if context.knowsFunctionCalls {
            message["function_call"] = calls.first?["function"]
        } else if !calls.isEmpty {
            message["tool_calls"] = .array(calls)
        }
        return .object(message)
    }

    private static func call(_ call: ToolCall, _ context: ResponseContext) -> JSONValue {
        let name = context.toolName(call.name)
        if call.isCustom || context.customTools.contains(name) {
            let input = call.isCustom ? call.arguments : ChatTools.unwrapped(call.arguments)
            return ChatTools.customCall(id: call.id, name: name, input: input)
        }
        return ChatTools.call(id: call.id, name: name, arguments: call.arguments)
    }
}

extension String? {
    /// Appends in place, because a response can come in very many pieces.
    fileprivate mutating func append(_ more: String) {
        if self == nil { self = more } else { self?.append(contentsOf: more) }
    }
}
