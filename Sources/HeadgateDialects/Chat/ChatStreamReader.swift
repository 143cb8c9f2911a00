/// Reads streams of chat completions, of OpenAI and of its imitators with their oddities. Only choice 0 is read.
struct ChatStreamReader: StreamReader {
    private var hasStarted = false
    private var end: ResponseEnd?
    private var calls = ChatStreamCalls()
    private var reasoning = ChatReasoningTrace()

    /// The end of such a stream is no event; all that follows a reason is usage.
    var mayEnd: Bool { end != nil }

    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent]) {
        guard let chunk = event.object else { return }
        if chunk.present("error") != nil { return events.append(.failed) }
        let choice = chunk["choices"]?.array?.first { ($0["index"]?.integer ?? 0) == 0 }
        start(chunk, hasChoice: choice != nil, into: &events)
        if let choice, end == nil { readChoice(choice, into: &events) }
        // The usage stands elsewhere at some, and comes in every chunk at others.
        let usage = chunk.present("usage") ?? choice?.object?.present("usage") ?? chunk["x_groq"]?["usage"]
        if let usage = ChatUsage.read(usage) { events.append(.usage(usage)) }
    }

    /// Azure's first chunk has neither an id nor a choice.
    private mutating func start(_ chunk: JSONObject, hasChoice: Bool, into events: inout [ResponseEvent]) {
        let id = chunk["id"]?.string ?? ""
        guard !hasStarted, hasChoice || !id.isEmpty else { return }
        hasStarted = true
        calls.responseID = id
        let model = chunk["model"]?.string ?? ""
        events.append(.started(id: id.isEmpty ? nil : id, model: model.isEmpty ? nil : model))
    }

    private mutating func readChoice(_ choice: JSONValue, into events: inout [ResponseEvent]) {
        if let delta = choice["delta"]?.object ?? choice["message"]?.object { readDelta(delta, into: &events) }
        guard let reason = choice["finish_reason"]?.string, !reason.isEmpty else { return }
        guard reason != "error" else { return events.append(.failed) }
        if let seal = reasoning.take() { events.append(.reasoningSeal(seal)) }
        let end = ChatFinish.end(reason, hasCalls: !calls.isEmpty)
        self.end = end
        events.append(.finished(end))
    }

    private mutating func readDelta(_ delta: JSONObject, into events: inout [ResponseEvent]) {
        let thought = reasoning.read(delta)
        if !thought.isEmpty { events.append(.reasoning(thought)) }
        for block in delta["thinking_blocks"]?.array ?? [] {
            // The text of the block came before, as it does in every delta.
            guard let seal = ChatReasoning.read(block)?.seal else { continue }
            events.append(.reasoningSeal(seal))
            _ = reasoning.take()
        }
        let text = ChatContent.text(delta["content"]) ?? ""
        let refusal = delta["refusal"]?.string ?? ""
        let fragments = delta["tool_calls"]?.array ?? []
        // What comes after reasoning ends it.
        if !text.isEmpty || !refusal.isEmpty || !fragments.isEmpty, let seal = reasoning.take() {
            events.append(.reasoningSeal(seal))
        }
        if !text.isEmpty { events.append(.text(text)) }
        if !refusal.isEmpty { events.append(.refusal(refusal)) }
        for call in fragments { calls.read(call, into: &events) }
        if let call = delta.present("function_call") { calls.readLegacy(call, into: &events) }
    }
}
