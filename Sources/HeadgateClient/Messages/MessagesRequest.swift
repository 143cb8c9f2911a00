/// A chat request as the body of Anthropic's Messages.
struct MessagesRequest {
    let request: ChatRequest

    /// Default token limit, because the format requires one. Current Anthropic models allow at least this many tokens.
    static let usualLimit = 8192

    func body(isStream: Bool) throws -> [UInt8] {
        var members = options
        members["model"] = .string(request.model)
        let rules = request.messages.filter { $0.isRule }.map(\.text).filter { !$0.isEmpty }
        if !rules.isEmpty { members["system"] = .string(rules.joined(separator: "\n\n")) }
        members["messages"] = .array(messages)
        if !request.tools.isEmpty {
            members["tools"] = .array(
                request.tools.map { tool in
                    [
                        "name": .string(tool.name), "description": .string(tool.description),
                        "input_schema": tool.parameters,
                    ]
                })
        }
        if isStream { members["stream"] = true }
        return try JSONCoding.encode(members.merging(request.options.additional) { _, mine in mine })
    }

    private var options: [String: JSONValue] {
        let options = request.options
        var members: [String: JSONValue] = [
            "max_tokens": .integer(options.maximumResponseTokens ?? Self.usualLimit)
        ]
        members["temperature"] = options.temperature.map(JSONValue.number)
        members["top_p"] = options.topP.map(JSONValue.number)
        members["tool_choice"] = toolChoice
        members["output_config"] = options.responseFormat?.messagesForm.map { ["format": $0] }
        members["stop_sequences"] = options.stop.isEmpty ? nil : .array(options.stop.map(JSONValue.string))
        return members
    }

    private var toolChoice: JSONValue? {
        let options = request.options
        guard !request.tools.isEmpty, options.toolChoice != nil || options.allowsParallelToolCalls != nil else {
            return nil
        }
        var choice = (options.toolChoice ?? .automatic).messagesForm
        if options.toolChoice != .never, let isAllowed = options.allowsParallelToolCalls {
            choice["disable_parallel_tool_use"] = .bool(!isAllowed)
        }
        return .object(choice)
    }

    /// Turns of the conversation. Results of tools that belong together form one turn.
    private var messages: [JSONValue] {
        var turns: [(role: String, blocks: [JSONValue])] = []
        for message in request.messages where !message.isRule {
            let blocks = message.blocks
            if blocks.isEmpty { continue }
            let role = message.role == .assistant ? "assistant" : "user"
            if turns.last?.role == role {
                turns[turns.count - 1].blocks += blocks
            } else {
                turns.append((role, blocks))
            }
        }
        return turns.map { ["role": .string($0.role), "content": .array($0.blocks)] }
    }
}

extension ChatMessage {
    fileprivate var isRule: Bool { role == .system || role == .developer }

    fileprivate var blocks: [JSONValue] {
        if role == .tool {
            return [
                ["type": "tool_result", "tool_use_id": .string(toolCallID ?? ""), "content": .string(text)]
            ]
        }
        var blocks = content?.blocks ?? []
        // The API rejects blank texts. A refusal becomes the text of its message.
        if blocks.isEmpty, let refusal, !refusal.isEmpty { blocks = [["type": "text", "text": .string(refusal)]] }
        return blocks
            + toolCalls.map { call in
                let input = try? JSONCoding.decode(JSONValue.self, from: Array(call.arguments.utf8))
                return ["type": "tool_use", "id": .string(call.id), "name": .string(call.name), "input": input ?? [:]]
            }
    }
}

extension MessageContent {
    fileprivate var blocks: [JSONValue] {
        switch self {
        case .text(let text): text.allSatisfy(\.isWhitespace) ? [] : [["type": "text", "text": .string(text)]]
        case .parts(let parts):
            parts.map { part in
                switch part {
                case .text(let text): ["type": "text", "text": .string(text)]
                case .image(let url): ["type": "image", "source": MessageContent.source(of: url)]
                case .other(let value): MessageContent.document(in: value) ?? value
                }
            }
        }
    }

    /// Returns a document block for a file part that contains its bytes; nil for any other part.
    private static func document(in part: JSONValue) -> JSONValue? {
        guard let (name, data) = part.fileOfChat else { return nil }
        var document: [String: JSONValue] = ["type": "document", "source": source(of: data)]
        if let name { document["title"] = .string(name) }
        return .object(document)
    }

    /// Returns the source of an image or a document. A base64 data URL is split into its parts.
    private static func source(of url: String) -> JSONValue {
        guard url.hasPrefix("data:"), let comma = url.firstIndex(of: ","), url[..<comma].hasSuffix(";base64") else {
            return ["type": "url", "url": .string(url)]
        }
        let type = url[..<comma].dropFirst("data:".count).dropLast(";base64".count)
        return [
            "type": "base64", "media_type": .string(String(type)),
            "data": .string(String(url[url.index(after: comma)...])),
        ]
    }
}
