enum MessagesResponseReader: ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse {
        if ErrorReport.isError(document) || ErrorReport.isFailure(reason: document["stop_reason"]?.string ?? "") {
            throw .error
        }
        guard let blocks = document["content"]?.array else { throw .unexpected }
        var response = ModelResponse()
        response.id = document["id"]?.string
        response.model = document["model"]?.string
        for block in blocks {
            if let content = content(block) { response.contents.append(content) }
            drop(block, &response)
        }
        response.end = MessagesStopReason.end(
            document["stop_reason"]?.string, sequence: document["stop_sequence"]?.string)
        if response.end == .refused, !response.hasText,
            let explanation = MessagesStopReason.explanation(document["stop_details"])
        {
            response.contents.append(.refusal(explanation))
        }
        if let report = document["usage"], report.object != nil {
            var usage = MessagesUsage()
            usage.update(with: report)
            response.usage = usage.tokens
        }
        return response
    }

    private static func drop(_ block: JSONValue, _ response: inout ModelResponse) {
        switch block["type"]?.string {
        case "text"?: response.drop("content[].citations", block["citations"])
        case "thinking"?, "redacted_thinking"?, "tool_use"?, nil: break
        case let type?: response.drop("content[]", ofType: type, block)
        }
    }

    /// Returns the content of a block; nil for blocks of the provider's own tools and for unknown ones.
    private static func content(_ block: JSONValue) -> Content? {
        switch block["type"]?.string {
        case "text"?:
            guard let text = block["text"]?.string, !text.isEmpty else { return nil }
            return .text(text)
        case "thinking"?:
            let text = block["thinking"]?.string ?? ""
            let signature = block["signature"]?.string ?? ""
            let unsigned = signature.isEmpty && !text.isEmpty ? ReasoningSeal(.messages, .unsigned, "") : nil
            return .reasoning(
                Reasoning(text, seal: ReasoningSeal(given: signature, by: .messages) ?? unsigned))
        case "redacted_thinking"?:
            guard let data = block["data"]?.string else { return nil }
            return .reasoning(Reasoning("", seal: ReasoningSeal(.messages, data, isRedacted: true)))
        case "tool_use"?:
            return .toolCall(
                ToolCall(
                    id: block["id"]?.string ?? "", name: block["name"]?.string ?? "",
                    arguments: block["input"]?.text ?? "{}"))
        default: return nil
        }
    }
}

extension ModelResponse {
    fileprivate var hasText: Bool {
        contents.contains { if case .text = $0 { true } else { false } }
    }
}
