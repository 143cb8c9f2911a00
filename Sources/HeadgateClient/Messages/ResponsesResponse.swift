/// A response of OpenAI's Responses API, whole or as reported by its stream.
struct ResponsesResponse: Decodable {
    let id: String?
    let model: String?
    let created: Int?
    let status: String?
    let output: [ResponsesItem]
    let incompleteReason: String?
    let usage: TokenUsage?
    let error: APIError?
    let additional: [String: JSONValue]

    private static let known: Set<String> = [
        "id", "object", "model", "created_at", "status", "output", "incomplete_details", "usage", "error",
    ]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decodeIfPresent(String.self, forKey: "id")
        model = try members.decodeIfPresent(String.self, forKey: "model")
        created = members.seconds(forKey: "created_at")
        status = try members.decodeIfPresent(String.self, forKey: "status")
        output = try members.decodeIfPresent([ResponsesItem].self, forKey: "output") ?? []
        let details = try? members.decodeIfPresent([String: JSONValue].self, forKey: "incomplete_details")
        if case .string(let reason)? = details?["reason"] { incompleteReason = reason } else { incompleteReason = nil }
        usage = try members.decodeIfPresent(ResponsesUsage.self, forKey: "usage")?.usage
        error = APIError(member: try? members.decodeIfPresent(JSONValue.self, forKey: "error"))
        additional = members.additional(besides: Self.known)
    }

    /// - Parameter hasCalls: Whether the model called tools.
    /// - Returns: Nil if the response has not ended, for example because it runs in the background.
    func finishReason(hasCalls: Bool) -> FinishReason? {
        switch (status, incompleteReason) {
        case (_, "max_output_tokens"?): .length
        case (_, "content_filter"?): .contentFilter
        case ("incomplete"?, let reason): FinishReason(rawValue: reason ?? "incomplete")
        case ("cancelled"?, _): FinishReason(rawValue: "cancelled")
        case ("failed"?, _): FinishReason(rawValue: "failed")
        case ("queued"?, _), ("in_progress"?, _): nil
        default: hasCalls ? .toolCalls : .stop
        }
    }

    /// The response in the format of chat completions.
    var completion: ChatCompletion {
        var message = ChatMessage(role: .assistant, content: nil)
        for item in output { item.add(to: &message) }
        let choice = ChatCompletion.Choice(
            message: message, finishReason: finishReason(hasCalls: !message.toolCalls.isEmpty))
        return ChatCompletion(
            id: id ?? "", model: model ?? "", choices: [choice], usage: usage, created: created,
            additional: additional)
    }
}

/// An item of a response's output.
struct ResponsesItem: Decodable {
    struct Part: Decodable {
        let type: String?
        let text: String?
        let refusal: String?
    }

    let type: String?
    let callID: String?
    let name: String?
    let arguments: String?
    let content: [Part]?
    let summary: [Part]?

    enum CodingKeys: String, CodingKey {
        case type, name, arguments, content, summary
        case callID = "call_id"
    }

    /// Reads only the type of an unknown item, because its members can have any form.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decodeIfPresent(String.self, forKey: .type)
        let isCall = type == "function_call"
        let hasText = type == "message" || type == "reasoning"
        callID = try isCall ? members.decodeIfPresent(String.self, forKey: .callID) : nil
        name = try isCall ? members.decodeIfPresent(String.self, forKey: .name) : nil
        arguments = try isCall ? members.decodeIfPresent(String.self, forKey: .arguments) : nil
        content = try hasText ? members.decodeIfPresent([Part].self, forKey: .content) : nil
        summary = try hasText ? members.decodeIfPresent([Part].self, forKey: .summary) : nil
    }

    func add(to message: inout ChatMessage) {
        switch type {
        case "message":
            for part in content ?? [] {
                if let refusal = part.refusal { message.refusal = (message.refusal ?? "") + refusal }
                if let text = part.text { message.content = .text(message.text + text) }
            }
        case "reasoning":
            // The full reasoning if the model shows it, or else its summary.
            let parts = content?.isEmpty == false ? content : summary
            let text = (parts ?? []).compactMap(\.text).joined(separator: "\n\n")
            if !text.isEmpty { message.reasoning = (message.reasoning ?? "") + text }
        case "function_call":
            message.toolCalls.append(ToolCall(id: callID ?? "", name: name ?? "", arguments: arguments ?? ""))
        default: break
        }
    }
}

private struct ResponsesUsage: Decodable {
    let usage: TokenUsage

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        var details: [String: JSONValue] = [:]
        // The details have the names of chat completions.
        details["prompt_tokens_details"] = try members.decodeIfPresent(JSONValue.self, forKey: "input_tokens_details")
        details["completion_tokens_details"] = try members.decodeIfPresent(
            JSONValue.self, forKey: "output_tokens_details")
        usage = TokenUsage(
            promptTokens: try members.decodeIfPresent(Int.self, forKey: "input_tokens") ?? 0,
            completionTokens: try members.decodeIfPresent(Int.self, forKey: "output_tokens") ?? 0,
            totalTokens: try members.decodeIfPresent(Int.self, forKey: "total_tokens"), additional: details)
    }
}
