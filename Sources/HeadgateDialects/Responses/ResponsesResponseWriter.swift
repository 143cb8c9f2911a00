/// Writes whole responses. A whole response is the one in the last event of its stream.
enum ResponsesResponseWriter: ResponseWriter {
    static func write(_ response: ModelResponse, _ context: ResponseContext) -> JSONObject {
        var writer = ResponsesStreamWriter(context, mostHeld: .max)
        var stream: [UInt8] = []
        for event in events(of: response, context) {
            // Never throws, because the limit on held bytes is `.max`.
            try? writer.write(event, to: &stream)
            stream.removeAll(keepingCapacity: true)
        }
        writer.appendResponse(to: &stream)
        return (try? JSONValue(stream))?.object ?? JSONObject()
    }

    private static func events(of response: ModelResponse, _ context: ResponseContext) -> [ResponseEvent] {
        var events: [ResponseEvent] = []
        var callCount = 0
        for content in response.contents {
            switch content {
            case .text(let text): events.append(context.compaction == nil ? .text(text) : .compaction(text))
            case .refusal(let text): events.append(.refusal(text))
            case .reasoning(let reasoning):
                events.append(.reasoning(reasoning.text))
                if let seal = reasoning.seal { events.append(.reasoningSeal(seal)) }
            case .toolCall(let call):
                events.append(.toolCall(index: callCount, id: call.id, name: call.name, isCustom: call.isCustom))
                events.append(.toolArguments(index: callCount, call.arguments))
                callCount += 1
            // Responses have no such contents.
            case .image, .document, .toolResult: break
            }
        }
        if let usage = response.usage { events.append(.usage(usage)) }
        return events + [.finished(response.end)]
    }
}
