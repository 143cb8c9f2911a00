/// Reads whole chat completions, of which choice 0 counts.
enum ChatResponseReader: ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse {
        guard !ErrorReport.isError(document) else { throw .error }
        let choices = document["choices"]?.array
        guard let choice = choices?.first(where: { ($0["index"]?.integer ?? 0) == 0 }),
            let message = choice["message"]?.object
        else { throw .unexpected }
        let reason = choice["finish_reason"]?.string ?? ""
        guard !ErrorReport.isFailure(reason: reason) else { throw .error }
        var response = ModelResponse()
        response.id = document["id"]?.string
        response.model = document["model"]?.string
        response.contents = contents(of: message, in: response.id ?? "")
        response.end = ChatFinish.end(reason, hasCalls: response.contents.contains(where: \.isCall))
        response.usage = ChatUsage.read(document["usage"])
        return response
    }

    private static func contents(of message: JSONObject, in response: String) -> [Content] {
        var contents = reasoning(of: message).map(Content.reasoning)
        if let text = ChatContent.text(message["content"]), !text.isEmpty { contents.append(.text(text)) }
        if let text = message["refusal"]?.string, !text.isEmpty { contents.append(.refusal(text)) }
        for call in message["tool_calls"]?.array ?? [] {
            contents.append(.toolCall(read(call, number: contents.count, in: response)))
        }
        if let call = message.present("function_call") {
            contents.append(.toolCall(function(call, id: "", number: 0, in: response)))
        }
        return contents
    }

    private static func reasoning(of message: JSONObject) -> [Reasoning] {
        let blocks = (message["thinking_blocks"]?.array ?? []).compactMap(ChatReasoning.read)
        guard blocks.isEmpty else { return blocks }
        let text = message["reasoning_content"]?.string ?? message["reasoning"]?.string ?? ""
        return text.isEmpty ? [] : [Reasoning(text)]
    }

    private static func read(_ call: JSONValue, number: Int, in response: String) -> ToolCall {
        let id = call["id"]?.string ?? ""
        guard let custom = call["custom"]?.object else {
            return function(call["function"] ?? [:], id: id, number: number, in: response)
        }
        return ToolCall(
            id: id.isEmpty ? ChatContent.inventedID(response: response, call: number) : id,
            name: custom["name"]?.string ?? "", arguments: custom["input"]?.string ?? "", isCustom: true)
    }

    private static func function(_ value: JSONValue, id: String, number: Int, in response: String) -> ToolCall {
        let arguments = ChatContent.arguments(value["arguments"])
        return ToolCall(
            id: id.isEmpty ? ChatContent.inventedID(response: response, call: number) : id,
            name: value["name"]?.string ?? "", arguments: arguments.isEmpty ? ToolCall.noArguments : arguments)
    }
}

extension Content {
    fileprivate var isCall: Bool { if case .toolCall = self { true } else { false } }
}
