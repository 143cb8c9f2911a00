/// Reads response streams.
///
/// Providers leave out events. Content that no delta carried is read from the events that repeat it: those of a part,
/// of an item, or of the whole response.
struct ResponsesStreamReader: StreamReader {
    private var items = ResponsesItemReader()
    private var hasStarted = false
    private var hasEnded = false

    /// A response ends with an event. Without it, the response is incomplete.
    var mayEnd: Bool { false }

    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent]) {
        guard !hasEnded else { return }
        let type = event["type"]?.string ?? ""
        switch type {
        case "response.created", "response.queued", "response.in_progress": start(event["response"], &events)
        case "response.completed", "response.incomplete": finish(event["response"] ?? nil, into: &events)
        case "response.failed", "response.cancelled", "error": events.append(.failed)
        case let type where type.hasPrefix("response."): readItem(event, type, &events)
        // Errors have other types, or none.
        default: if let event = event.object, ErrorReport.isError(event) { events.append(.failed) }
        }
    }

    /// Reads a whole response, of which any part might have been read before.
    mutating func finish(_ response: JSONValue, into events: inout [ResponseEvent]) {
        if ["failed", "cancelled"].contains(response["status"]?.string) { return events.append(.failed) }
        start(response, &events)
        if items.isEmpty {
            for (index, item) in (response["output"]?.array ?? []).enumerated() {
                items.readWhole(item, ResponsesItemReader.key(index), into: &events)
            }
        }
        if let usage = response["usage"].flatMap(TokenUsage.init(responses:)) { events.append(.usage(usage)) }
        events.append(.finished(end(of: response)))
        events.append(.ended)
        hasEnded = true
    }

    private func end(of response: JSONValue) -> ResponseEnd {
        guard response["status"] == "incomplete" else { return items.callCount > 0 ? .toolCalls : .stop }
        return response["incomplete_details"]?["reason"]?.string == ResponsesItem.filtered ? .refused : .length
    }

    private mutating func start(_ response: JSONValue?, _ events: inout [ResponseEvent]) {
        guard !hasStarted else { return }
        hasStarted = true
        events.append(.started(id: response?["id"]?.string, model: response?["model"]?.string))
    }

    private mutating func readItem(_ event: JSONValue, _ type: String, _ events: inout [ResponseEvent]) {
        let key = ResponsesItemReader.key(of: event)
        if let text = ResponsesItemReader.text(type, in: event) {
            start(nil, &events)
            guard let piece = event[text.member]?.string else { return }
            if text.isWhole {
                items.emitRest(of: piece, text.kind, key, into: &events)
            } else {
                items.emit(piece, text.kind, key, into: &events)
            }
            return
        }
        guard let item = event["item"] else { return }
        start(nil, &events)
        switch type {
        case "response.output_item.added": items.begin(item, key, into: &events)
        case "response.output_item.done": items.readWhole(item, key, into: &events)
        default: break
        }
    }
}

extension TokenUsage {
    /// - Parameter usage: Usage of a response; the result is nil if it is not an object.
    init?(responses usage: JSONValue) {
        guard usage.object != nil else { return nil }
        self.init(
            input: usage["input_tokens"]?.tokenCount,
            cachedInput: usage["input_tokens_details"]?["cached_tokens"]?.tokenCount,
            cacheWrites: usage["input_tokens_details"]?["cache_write_tokens"]?.tokenCount,
            output: usage["output_tokens"]?.tokenCount,
            reasoning: usage["output_tokens_details"]?["reasoning_tokens"]?.tokenCount)
    }
}
