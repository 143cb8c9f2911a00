/// Reads chat completion streams of OpenAI and of its imitators with their quirks. Translated requests ask for one
/// choice. If an upstream spreads the response over several choices, the reader joins them.
struct ChatStreamReader: StreamReader {
    private var hasStarted = false
    private var end: ResponseEnd?
    /// Bit mask of the choices that have begun: bit i represents choice i.
    private var begun: UInt64 = 0
    /// Bit mask of the choices that have their finish reason: bit i represents choice i.
    private var finished: UInt64 = 0
    /// Whether the end is known but not reported yet, because a choice is in progress.
    private var holdsEnd = false
    private var calls = ChatStreamCalls()
    private var reasoning = ChatReasoningTrace()

    /// Whether the stream may end here. It ends without an event, and only usage follows a finish reason.
    var mayEnd: Bool { end != nil }

    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent]) {
        guard let chunk = event.object else { return }
        if ErrorReport.isError(chunk) { return events.append(.failed) }
        let choices = chunk["choices"]?.array ?? []
        start(chunk, hasChoice: !choices.isEmpty, into: &events)
        for (place, choice) in choices.enumerated() {
            readChoice(choice, choice["index"]?.integer ?? place, into: &events)
        }
        // Some providers send the usage elsewhere in the chunk, and others in every chunk.
        let usage = chunk.present("usage") ?? choices.first?.object?.present("usage") ?? chunk["x_groq"]?["usage"]
        if let usage = ChatUsage.read(usage) { events.append(.usage(usage)) }
    }

    /// Reports the start of the response. Azure's first chunk has neither an id nor a choice and is skipped.
    private mutating func start(_ chunk: JSONObject, hasChoice: Bool, into events: inout [ResponseEvent]) {
        let id = chunk["id"]?.string ?? ""
        guard !hasStarted, hasChoice || !id.isEmpty else { return }
        hasStarted = true
        calls.responseID = id
        let model = chunk["model"]?.string ?? ""
        events.append(.started(id: id.isEmpty ? nil : id, model: model.isEmpty ? nil : model))
    }

    private mutating func readChoice(_ choice: JSONValue, _ index: Int, into events: inout [ResponseEvent]) {
        guard (0..<UInt64.bitWidth).contains(index), finished & 1 << UInt64(index) == 0 else { return }
        begun |= 1 << UInt64(index)
        if let delta = choice["delta"]?.object ?? choice["message"]?.object { readDelta(delta, index, into: &events) }
        guard let reason = choice["finish_reason"]?.string, !reason.isEmpty else { return }
        guard !ErrorReport.isFailure(reason: reason) else { return events.append(.failed) }
        if let seal = reasoning.take() { events.append(.reasoningSeal(seal)) }
        finished |= 1 << UInt64(index)
        let own = ChatFinish.end(reason, hasCalls: !calls.isEmpty)
        let end = end.map { ChatFinish.merged($0, own) } ?? own
        self.end = end
        holdsEnd = true
        if begun == finished { finish(into: &events) }
    }

    mutating func finish(into events: inout [ResponseEvent]) {
        guard holdsEnd, let end else { return }
        holdsEnd = false
        events.append(.finished(end))
    }

    private mutating func readDelta(_ delta: JSONObject, _ choice: Int, into events: inout [ResponseEvent]) {
        let thought = reasoning.read(delta)
        if !thought.isEmpty { events.append(.reasoning(thought)) }
        for block in delta["thinking_blocks"]?.array ?? [] {
            // The block's text arrived in earlier deltas, as text does in every delta.
            guard let seal = ChatReasoning.read(block)?.seal else { continue }
            events.append(.reasoningSeal(seal))
            _ = reasoning.take()
        }
        let refusal = delta["refusal"]?.string ?? ""
        let fragments = delta["tool_calls"]?.array ?? []
        // Any other content ends the reasoning.
        if !(ChatContent.text(delta["content"]) ?? "").isEmpty || !refusal.isEmpty || !fragments.isEmpty,
            let seal = reasoning.take()
        {
            events.append(.reasoningSeal(seal))
        }
        if let content = delta["content"] { readContent(content, knowsThought: !thought.isEmpty, into: &events) }
        if !refusal.isEmpty { events.append(.refusal(refusal)) }
        for call in fragments { calls.read(call, of: choice, into: &events) }
        if let call = delta.present("function_call") { calls.readLegacy(call, into: &events) }
    }

    /// - Parameter knowsThought: Whether the reasoning has arrived already. Some providers repeat it in a separate
    ///   member.
    private func readContent(_ content: JSONValue, knowsThought: Bool, into events: inout [ResponseEvent]) {
        if case .string(let text) = content {
            if !text.isEmpty { events.append(.text(text)) }
            return
        }
        for part in ChatContent.contents(content) {
            switch part {
            case .text(let text): events.append(.text(text))
            case .refusal(let text): events.append(.refusal(text))
            case .reasoning(let thought):
                if !thought.text.isEmpty, !knowsThought { events.append(.reasoning(thought.text)) }
                if let seal = thought.seal { events.append(.reasoningSeal(seal)) }
            case .toolCall, .image, .document, .toolResult: continue
            }
        }
    }
}
