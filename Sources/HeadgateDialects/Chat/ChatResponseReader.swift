/// Reads whole chat completions, of which choice 0 counts.
enum ChatResponseReader: ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse {
        guard document.present("error") == nil else { throw .error }
        let choices = document["choices"]?.array
        guard let choice = choices?.first(where: { ($0["index"]?.integer ?? 0) == 0 }),
            let message = choice["message"]?.object
        else { throw .unexpected }
        var response = ModelResponse()
        response.id = document["id"]?.string
        response.model = document["model"]?.string
        response.contents = contents(of: message, in: response.id ?? "")
        response.end = ChatFinish.end(
            choice["finish_reason"]?.string ?? "", hasCalls: response.contents.contains(where: \.isCall))
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
        var trace = ChatReasoningTrace()
        let text = trace.read(message)
        return trace.take().map { [Reasoning(text, seal: $0)] } ?? []
    }

    private static func read(_ value: JSONValue, number: Int, in response: String) -> ToolCall {
        var call = call(value, number: number, in: response)
        call.members = ChatTools.members(of: value)
        return call
    }

    private static func call(_ call: JSONValue, number: Int, in response: String) -> ToolCall {
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
