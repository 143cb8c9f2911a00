/// Reads whole responses, each like the last event of a stream without any other events.
enum ResponsesResponseReader: ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse {
        if ErrorReport.isError(document) { throw .error }
        var response = ModelResponse()
        switch document["status"]?.string {
        case "failed"?, "cancelled"?: throw .error
        case "completed"?, "incomplete"?, nil: break
        // The response has not ended.
        default: throw .unexpected
        }
        guard let output = document["output"]?.array else { throw .unexpected }
        var reader = ResponsesStreamReader()
        var events: [ResponseEvent] = []
        reader.finish(.object(document), into: &events)
        for event in events { response.add(event) }
        for item in output { drop(item, &response) }
        return response
    }

    private static func drop(_ item: JSONValue, _ response: inout ModelResponse) {
        switch item["type"]?.string {
        case "message"?:
            for part in item["content"]?.array ?? [] {
                response.drop("output[].content[].annotations", part["annotations"])
            }
        case "reasoning"?, "function_call"?, "custom_tool_call"?, nil: break
        case let type?: response.drop("output[]", ofType: type, item)
        }
    }
}

extension ModelResponse {
    fileprivate mutating func add(_ event: ResponseEvent) {
        switch event {
        case .started(let id, let model): (self.id, self.model) = (id, model)
        case .text(let text):
            // The text is moved out and back, so that a long text grows in place.
            let goesOn = if case .text? = contents.last { true } else { false }
            if goesOn, case .text(var whole)? = contents.popLast() {
                whole += text
                contents.append(.text(whole))
            } else {
                contents.append(.text(text))
            }
        case .refusal(let text): contents.append(.refusal(text))
        case .reasoning(let text):
            if case .reasoning(let before)? = contents.last, before.seal == nil {
                contents[contents.count - 1] = .reasoning(Reasoning(before.text + text))
            } else {
                contents.append(.reasoning(Reasoning(text)))
            }
        case .reasoningSeal(let seal):
            if case .reasoning(let before)? = contents.last, before.seal == nil {
                contents[contents.count - 1] = .reasoning(Reasoning(before.text, seal: seal))
            } else {
                contents.append(.reasoning(Reasoning("", seal: seal)))
            }
        case .toolCall(_, let id, let name, let isCustom):
            let arguments = isCustom ? "" : ToolCall.noArguments
            contents.append(.toolCall(ToolCall(id: id, name: name, arguments: arguments, isCustom: isCustom)))
        case .toolArguments(_, let text):
            // All arguments, directly after the call.
            guard case .toolCall(var call)? = contents.last else { return }
            call.arguments = text
            contents[contents.count - 1] = .toolCall(call)
        case .usage(let usage): self.usage = usage
        case .finished(let end): self.end = end
        case .ended, .toolMembers, .compaction, .failed: break
        }
    }
}
