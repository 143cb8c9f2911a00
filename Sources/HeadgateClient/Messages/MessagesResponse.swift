/// Members of Anthropic's events that are used. Which ones are present depends on the type.
struct MessagesEvent: Decodable {
    let type: String
    let message: MessagesHead?
    let index: Int?
    let contentBlock: MessagesPart?
    let delta: MessagesPart?
    let usage: MessagesUsage?

    enum CodingKeys: String, CodingKey {
        case type, message, index, delta, usage
        case contentBlock = "content_block"
    }
}

struct MessagesHead: Decodable {
    let id: String?
    let model: String?
    let usage: MessagesUsage?
}

struct MessagesResponse: Decodable {
    let id: String?
    let model: String?
    let content: [MessagesPart]
    let stopReason: String?
    let usage: MessagesUsage?
    let additional: [String: JSONValue]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decodeIfPresent(String.self, forKey: "id")
        model = try members.decodeIfPresent(String.self, forKey: "model")
        content = try members.decode([MessagesPart].self, forKey: "content")
        stopReason = try members.decodeIfPresent(String.self, forKey: "stop_reason")
        usage = try members.decodeIfPresent(MessagesUsage.self, forKey: "usage")
        additional = members.additional(
            besides: ["id", "type", "role", "model", "content", "stop_reason", "usage"])
    }

    /// The response in the format of chat completions.
    var completion: ChatCompletion {
        var message = ChatMessage(role: .assistant, content: nil)
        for (index, part) in content.enumerated() {
            let delta = part.delta(at: index)
            if let text = delta.content { message.content = .text(message.text + text) }
            if let text = delta.reasoning { message.reasoning = (message.reasoning ?? "") + text }
            message.toolCalls += delta.toolCalls.map {
                ToolCall(id: $0.id ?? "", name: $0.name ?? "", arguments: $0.arguments ?? "{}")
            }
        }
        let choice = ChatCompletion.Choice(
            index: 0, message: message, finishReason: FinishReason(ofMessages: stopReason))
        return ChatCompletion(
            id: id ?? "", model: model ?? "", choices: [choice],
            usage: usage.map {
                TokenUsage(messages: $0.outputTokens ?? 0, prompt: $0.promptTokens, cached: $0.cacheReadTokens)
            },
            additional: additional)
    }
}

/// A block, or an addition to one.
struct MessagesPart: Decodable {
    let type: String?
    let id: String?
    let name: String?
    let text: String?
    let thinking: String?
    let partialJSON: String?
    let input: JSONValue?
    let stopReason: String?

    var finishReason: FinishReason? { FinishReason(ofMessages: stopReason) }

    /// - Parameter index: Index of the block, which identifies its pieces.
    func delta(at index: Int) -> ChatCompletionChunk.Delta {
        switch type {
        case "text", "text_delta": .init(content: text)
        case "thinking", "thinking_delta": .init(reasoning: thinking)
        case "tool_use": .init(toolCalls: [.init(index: index, id: id, name: name, arguments: arguments)])
        case "input_json_delta": .init(toolCalls: [.init(index: index, arguments: partialJSON)])
        default: .init()
        }
    }

    /// Arguments of a complete block; a block in pieces begins with an empty object.
    var arguments: String? {
        guard case .object(let members)? = input, !members.isEmpty else { return nil }
        return (try? JSONCoding.encode(members)).map { String(decoding: $0, as: UTF8.self) }
    }

    enum CodingKeys: String, CodingKey {
        case type, id, name, text, thinking, input
        case partialJSON = "partial_json"
        case stopReason = "stop_reason"
    }
}

struct MessagesUsage: Decodable {
    let inputTokens: Int?
    let outputTokens: Int?
    let cacheCreationTokens: Int?
    let cacheReadTokens: Int?

    /// Tokens of the prompt, including those read from a cache.
    var promptTokens: Int? {
        guard let inputTokens else { return nil }
        return [cacheCreationTokens, cacheReadTokens].reduce(inputTokens) { sum, more in
            let (total, overflows) = sum.addingReportingOverflow(more ?? 0)
            return overflows ? .max : total
        }
    }

    enum CodingKeys: String, CodingKey {
        case inputTokens = "input_tokens"
        case outputTokens = "output_tokens"
        case cacheCreationTokens = "cache_creation_input_tokens"
        case cacheReadTokens = "cache_read_input_tokens"
    }
}

extension TokenUsage {
    /// Converts Anthropic's counts to those of chat completions.
    init(messages completion: Int, prompt: Int?, cached: Int?) {
        self.init(
            promptTokens: prompt ?? 0, completionTokens: completion,
            additional: cached.map { ["prompt_tokens_details": ["cached_tokens": .integer($0)]] } ?? [:])
    }
}

extension FinishReason {
    /// Converts a stop reason of Messages to a finish reason. Unknown reasons are unchanged.
    init?(ofMessages word: String?) {
        switch word {
        case nil: return nil
        case "end_turn"?, "stop_sequence"?: self = .stop
        case "max_tokens"?: self = .length
        case "tool_use"?: self = .toolCalls
        case let other?: self.init(rawValue: other)
        }
    }
}
