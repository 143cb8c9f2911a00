/// Writes whole Ollama responses.
enum OllamaResponseWriter<Form: OllamaForm>: ResponseWriter {
    static func write(_ response: ModelResponse, _ context: ResponseContext) -> JSONObject {
        var text = ""
        var thinking = ""
        var calls: [JSONValue] = []
        for content in response.contents {
            switch content {
            case .text(let more), .refusal(let more): text += more
            case .reasoning(let thought): thinking += thought.text
            case .toolCall(let call): calls.append(OllamaCall.document(call, index: calls.count, context))
            case .image, .document, .toolResult: continue
            }
        }
        var object = OllamaHead.object(context)
        Form.append(text: text, thinking: thinking, calls: calls, to: &object)
        OllamaEnd(end: response.end, usage: response.usage ?? TokenUsage()).append(to: &object, context.clock)
        return object
    }
}
