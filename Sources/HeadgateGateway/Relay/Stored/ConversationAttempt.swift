internal import HeadgateDialects
internal import HeadgateHTTP

/// An attempt at an upstream with a Responses API of its own, in a conversation that the gateway keeps.
final class ConversationAttempt: OwnReasoningAttempt {
    private let turn: KeptTurn

    init(
        _ request: RelayRequest, _ turn: KeptTurn, at target: ModelTarget, _ upstream: Upstream,
        _ handler: RelayHandler,
        isHeld: Bool, _ total: Duration?, completion: @escaping RequestHandler.Completion
    ) {
        self.turn = turn
        super.init(request, at: target, upstream, handler, isHeld: isHeld, total, completion: completion)
    }

    override func makeTransform() -> any StreamTransform {
        guard let conversation = turn.conversationID, let events = super.makeTransform() as? TypedStreamTransform else {
            return super.makeTransform()
        }
        return ConversationStream(
            events, in: ResponseConversation(id: conversation), errors: upstream.errors, eventLimit: handler.eventLimit
        ) { [turn, handler] in turn.keep($0, isOwn: false, at: handler.realtime()) }
    }
}

/// A stream of the Responses API whose response is named the conversation that it is a part of.
final class ConversationStream: StreamTransform, StreamDialect {
    var assembler: EventAssembler
    private let events: TypedStreamTransform
    private let conversation: ResponseConversation
    private let ended: ([UInt8]) -> Void

    /// - Parameters:
    ///   - events: what the events go through.
    ///   - ended: told the whole response once it is complete, before the client is.
    init(
        _ events: TypedStreamTransform, in conversation: ResponseConversation, errors: UpstreamErrorReading,
        eventLimit: Int, ended: @escaping ([UInt8]) -> Void
    ) {
        self.events = events
        self.conversation = conversation
        self.ended = ended
        assembler = EventAssembler(errors: errors, eventLimit: eventLimit)
    }

    var counts: StreamCounts {
        get { events.counts }
        set { events.counts = newValue }
    }
    var brokenResponse: BrokenResponse { events.brokenResponse }
    var namesEvents: Bool { true }

    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        guard let (event, complete) = try conversation.named(event: document) else {
            return try events.relay(document, name, into: &output)
        }
        do {
            try event.withUnsafeBytes { try events.relay($0, name, into: &output) }
        } catch let decided as EventAssembler.Decided {
            if case .finished = decided.verdict, let complete { ended(complete) }
            throw decided
        }
    }

    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int {
        events.relayKnown(chunk, into: &output)
    }

    func receiveDone(into output: inout [UInt8]) throws { try events.receiveDone(into: &output) }

    func appendEnd(to output: inout [UInt8]) -> Bool { events.appendEnd(to: &output) }
}
