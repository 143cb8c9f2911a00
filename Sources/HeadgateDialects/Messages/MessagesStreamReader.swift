struct MessagesStreamReader: StreamReader {
    /// The open block. Only one block is open at once.
    private enum Block {
        case none
        case thinking
        /// - Parameter input: The input with which the call began. It counts if no fragments follow.
        case toolUse(index: Int, input: JSONValue?)
        /// A block of the provider's own tools, or an unknown one.
        case ignored
    }

    private var block = Block.none
    /// Signature of the thinking.
    private var signature = ""
    private var hasThought = false
    private var usage = MessagesUsage()
    private var callCount = 0
    private var hasText = false
    private var isFinished = false

    /// Maximum bytes of a signature.
    private static let longestSignature = 4 << 20

    /// Whether the stream may end here: the stop reason is the last event before the end itself.
    var mayEnd: Bool { isFinished }

    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent]) {
        switch event["type"]?.string {
        case "message_start"?: start(event["message"], &events)
        // Content after the stop reason is ignored.
        case "content_block_start"? where !isFinished:
            closeBlock(&events)
            if let block = event["content_block"] { open(block, &events) }
        case "content_block_delta"? where !isFinished:
            if let delta = event["delta"] { read(delta: delta, &events) }
        case "content_block_stop"?: closeBlock(&events)
        case "message_delta"?:
            closeBlock(&events)
            read(usage: event["usage"], &events)
            if let delta = event["delta"] { finish(delta, &events) }
        case "message_stop"?:
            closeBlock(&events)
            if !isFinished { events.append(.finished(callCount > 0 ? .toolCalls : .stop)) }
            isFinished = true
            events.append(.ended)
        default: if let event = event.object, ErrorReport.isError(event) { events.append(.failed) }
        }
    }

    private mutating func start(_ message: JSONValue?, _ events: inout [ResponseEvent]) {
        events.append(.started(id: message?["id"]?.string, model: message?["model"]?.string))
        read(usage: message?["usage"], &events)
    }

    private mutating func read(usage report: JSONValue?, _ events: inout [ResponseEvent]) {
        guard let report, report.object != nil else { return }
        usage.update(with: report)
        events.append(.usage(usage.tokens))
    }

    private mutating func open(_ block: JSONValue, _ events: inout [ResponseEvent]) {
        switch block["type"]?.string {
        case "text"?:
            self.block = .none
            append(text: block["text"], &events)
        case "thinking"?:
            self.block = .thinking
            hasThought = false
            signature = block["signature"]?.string ?? ""
            append(thinking: block["thinking"], &events)
        case "redacted_thinking"?:
            self.block = .ignored
            if let data = block["data"]?.string {
                events.append(.reasoningSeal(ReasoningSeal(.messages, data, isRedacted: true)))
            }
        case "tool_use"?:
            let id = block["id"]?.string ?? ""
            let name = block["name"]?.string ?? ""
            self.block = .toolUse(index: callCount, input: block["input"] ?? .object([:]))
            events.append(.toolCall(index: callCount, id: id, name: name, isCustom: false))
            callCount += 1
        default: self.block = .ignored
        }
    }

    private mutating func read(delta: JSONValue, _ events: inout [ResponseEvent]) {
        switch (delta["type"]?.string, block) {
        case (_, .ignored): break
        case ("text_delta"?, _): append(text: delta["text"], &events)
        case ("thinking_delta"?, _): append(thinking: delta["thinking"], &events)
        case ("signature_delta"?, .thinking):
            signature += delta["signature"]?.string ?? ""
            if signature.utf8.count > MessagesStreamReader.longestSignature { events.append(.failed) }
        case ("input_json_delta"?, .toolUse(let index, _)):
            guard let text = delta["partial_json"]?.string, !text.isEmpty else { return }
            block = .toolUse(index: index, input: nil)
            events.append(.toolArguments(index: index, text))
        default: break
        }
    }

    private mutating func closeBlock(_ events: inout [ResponseEvent]) {
        switch block {
        case .none, .ignored, .toolUse(_, nil): break
        case .thinking:
            if let seal = ReasoningSeal(given: signature, by: .messages) {
                events.append(.reasoningSeal(seal))
            } else if hasThought, signature.isEmpty {
                events.append(.reasoningSeal(ReasoningSeal(.messages, .unsigned, "")))
            }
        case .toolUse(let index, let input?): events.append(.toolArguments(index: index, input.text))
        }
        block = .none
    }

    private mutating func finish(_ delta: JSONValue, _ events: inout [ResponseEvent]) {
        guard !isFinished, let reason = delta["stop_reason"]?.string else { return }
        guard !ErrorReport.isFailure(reason: reason) else { return events.append(.failed) }
        isFinished = true
        let end = MessagesStopReason.end(reason, sequence: delta["stop_sequence"]?.string)
        if end == .refused, !hasText, let explanation = MessagesStopReason.explanation(delta["stop_details"]) {
            events.append(.refusal(explanation))
        }
        events.append(.finished(end))
    }

    private mutating func append(text: JSONValue?, _ events: inout [ResponseEvent]) {
        guard let text = text?.string, !text.isEmpty else { return }
        hasText = true
        events.append(.text(text))
    }

    private mutating func append(thinking: JSONValue?, _ events: inout [ResponseEvent]) {
        guard let text = thinking?.string, !text.isEmpty else { return }
        hasThought = true
        events.append(.reasoning(text))
    }
}
