/// Reads whole chat completions. Translated requests ask for one choice. If an upstream spreads the response over
/// several choices, as GitHub Copilot does, the reader joins them.
enum ChatResponseReader: ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse {
        guard !ErrorReport.isError(document) else { throw .error }
        let choices = (document["choices"]?.array ?? []).enumerated()
            .map { (index: $1["index"]?.integer ?? $0, choice: $1) }
            .sorted { $0.index < $1.index }
            .filter { $0.choice["message"]?.object != nil }
        guard !choices.isEmpty else { throw .unexpected }
        let reasons = choices.map { $0.choice["finish_reason"]?.string ?? "" }
        guard !reasons.contains(where: { ErrorReport.isFailure(reason: $0) }) else { throw .error }
        var response = ModelResponse()
        response.id = document["id"]?.string
        response.model = document["model"]?.string
        for (_, choice) in choices {
            if let message = choice["message"]?.object { addContents(of: message, to: &response) }
        }
        let hasCalls = response.contents.contains(where: \.isCall)
        response.end = reasons.reduce(hasCalls ? .toolCalls : .stop) {
            ChatFinish.merged($0, ChatFinish.end($1, hasCalls: hasCalls))
        }
        response.usage = ChatUsage.read(document["usage"])
        response.drop("citations", document["citations"])
        return response
    }

    private static func addContents(of message: JSONObject, to response: inout ModelResponse) {
        let id = response.id ?? ""
        let reasoning = reasoning(of: message)
        response.contents += reasoning.map(Content.reasoning)
        for content in ChatContent.contents(message["content"]) {
            // Some providers repeat the same reasoning in a separate member.
            if case .reasoning = content, !reasoning.isEmpty { continue }
            response.contents.append(content)
        }
        if let text = message["refusal"]?.string, !text.isEmpty { response.contents.append(.refusal(text)) }
        for call in message["tool_calls"]?.array ?? [] {
            response.contents.append(.toolCall(read(call, number: response.contents.count, in: id)))
        }
        for name in ["annotations", "audio", "images"] {
            response.drop("choices[].message.\(name)", message[name])
        }
        if let call = message.present("function_call") {
            response.contents.append(.toolCall(function(call, id: "", number: response.contents.count, in: id)))
        }
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
