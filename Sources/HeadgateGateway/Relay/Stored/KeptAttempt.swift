internal import HeadgateDialects
internal import HeadgateHTTP

/// An attempt whose response the gateway keeps, or which continues one.
final class KeptAttempt: TranslatedAttempt {
    private let turn: KeptTurn

    init(
        _ request: RelayRequest, _ turn: KeptTurn, at target: ModelTarget, _ upstream: Upstream,
        _ handler: RelayHandler,
        isHeld: Bool, _ total: Duration?, completion: @escaping RequestHandler.Completion
    ) {
        self.turn = turn
        super.init(request, at: target, upstream, handler, isHeld: isHeld, total, completion: completion)
    }

    override var keepsResponses: Bool { true }

    override func complete(_ context: inout ResponseContext) {
        context.previousResponseID = turn.previous
        context.conversationID = turn.conversationID
        guard let id = turn.id else { return }
        context.id = id
        context.isKept = true
        // Others may continue it.
        metadata.record.facts.noteConversation(turn.threadID ?? "resp_\(id)")
    }

    override func makeTransform() -> any StreamTransform {
        makeStream { [turn, handler] in turn.keep($0, at: handler.realtime()) }
    }

    override func note(_ whole: WholeResponse) throws(GatewayError) {
        try super.note(whole)
        turn.keep(whole.bytes, at: handler.realtime())
    }
}
