struct MessagesStreamWriter: StreamWriter {
    private enum Block { case none, text, refusal, thinking, toolUse }

    private let context: ResponseContext
    private var encoder = MessagesEventEncoder()
    private var block = Block.none
    private var calls = MessagesCallQueue()
    private var hasStarted = false
    private var hasEnded = false
    private var hasRefusal = false
    private var end = ResponseEnd.stop
    private var usage = TokenUsage()

    init(_ context: ResponseContext) { self.context = context }

    var eventCount: Int { encoder.eventCount }

    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault) {
        start(to: &output)
        switch event {
        case .text(let text): write(text, in: .text, to: &output)
        case .refusal(let text):
            hasRefusal = true
            write(text, in: .refusal, to: &output)
        case .reasoning(let text): write(text, in: .thinking, to: &output)
        case .reasoningSeal(let seal): write(seal, to: &output)
        case .toolCall(let index, let id, let name, let isCustom):
            calls.begin(index: index, id: id, name: name, isCustom: isCustom)
            openWaitingCalls(to: &output)
        case .toolArguments(let index, let fragment):
            guard try calls.receive(index: index, fragment) else { return }
            writeInput(fragment, isCustom: calls.current?.isCustom == true, to: &output)
            openWaitingCalls(to: &output)
        case .compaction(let summary): encoder.writeCompaction(summary, to: &output)
        case .usage(let report): usage.update(with: report)
        case .finished(let end):
            closeAll(to: &output)
            self.end = end
        case .ended: finish(to: &output)
        case .started, .toolMembers, .failed: break
        }
    }

    /// Starts the message. Its usage is known only at the end.
    private mutating func start(to output: inout [UInt8]) {
        guard !hasStarted else { return }
        hasStarted = true
        encoder.startMessage(
            MessagesResponseWriter.message(context, content: [], usage: TokenUsage()), to: &output)
    }

    private mutating func finish(to output: inout [UInt8]) {
        guard !hasEnded else { return }
        hasEnded = true
        closeAll(to: &output)
        if encoder.blockCount == 0 {
            encoder.startText(to: &output)
            encoder.stopBlock(to: &output)
        }
        let reason =
            context.compaction == nil
            ? MessagesStopReason.written(end, hasCalls: !calls.isEmpty, hasRefusal: hasRefusal) : "compaction"
        encoder.end(reason: reason, sequence: MessagesStopReason.sequence(end), usage, to: &output)
    }

    private mutating func write(_ text: String, in kind: Block, to output: inout [UInt8]) {
        guard !text.isEmpty else { return }
        if block != kind {
            closeAll(to: &output)
            block = kind
            if kind == .thinking { encoder.startThinking(to: &output) } else { encoder.startText(to: &output) }
        }
        encoder.delta(kind == .thinking ? .thinking : .text, text, to: &output)
    }

    /// Writes a seal at the end of its thinking, or instead of hidden thinking.
    private mutating func write(_ seal: ReasoningSeal, to output: inout [UInt8]) {
        let text = seal.written(for: .messages)
        if seal.isRedacted {
            closeAll(to: &output)
            encoder.startRedactedThinking(text, to: &output)
        } else {
            if block != .thinking {
                closeAll(to: &output)
                encoder.startThinking(to: &output)
            }
            encoder.delta(.signature, text, to: &output)
        }
        encoder.stopBlock(to: &output)
        block = .none
    }

    /// Closes the open block and all waiting calls, because the next content ends them.
    private mutating func closeAll(to output: inout [UInt8]) {
        closeBlock(to: &output)
        while calls.hasWaiting {
            openCall(to: &output)
            closeBlock(to: &output)
        }
    }

    private mutating func closeBlock(to output: inout [UInt8]) {
        switch block {
        case .none: return
        case .text, .refusal: break
        case .thinking: encoder.delta(.signature, ReasoningSeal.missing, to: &output)
        case .toolUse:
            if calls.current?.isCustom == true { encoder.delta(.input, MessagesToolInput.textEnd, to: &output) }
            calls.close()
        }
        encoder.stopBlock(to: &output)
        block = .none
    }

    /// Opens waiting calls. Each call stays open until it is complete.
    private mutating func openWaitingCalls(to output: inout [UInt8]) {
        while calls.hasWaiting, calls.current?.isWhole ?? true {
            closeBlock(to: &output)
            openCall(to: &output)
        }
    }

    private mutating func openCall(to output: inout [UInt8]) {
        let call = calls.openNext()
        block = .toolUse
        encoder.startToolUse(id: call.id, name: context.toolName(call.name), to: &output)
        if call.isCustom { encoder.delta(.input, MessagesToolInput.textStart, to: &output) }
        if !call.held.isEmpty { writeInput(call.held, isCustom: call.isCustom, to: &output) }
    }

    private mutating func writeInput(_ fragment: String, isCustom: Bool, to output: inout [UInt8]) {
        guard !fragment.isEmpty else { return }
        encoder.delta(.input, isCustom ? MessagesToolInput.escaped(fragment) : fragment, to: &output)
    }
}
