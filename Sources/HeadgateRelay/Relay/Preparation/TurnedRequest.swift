internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Part of an attempt that prepares its request and stores its response in the gateway. Loop-confined.
final class TurnedRequest {
    let preparation: RequestPreparation
    /// Turn to store; nil if the gateway stores nothing of the request.
    private let turn: LocalTurn?
    /// Translator of the response; nil before the request is sent, and if the response is in the client's format.
    private(set) var translator: ResponseTranslator?

    init(_ request: RelayRequest, at target: ModelTarget, _ upstream: Upstream, _ handler: RelayHandler) {
        turn = request.companion?.turn
        preparation = handler.preparation(of: request.envelope, for: target, upstream, turn)
    }

    /// Translation of the request; nil if it is not translated.
    var translation: OutgoingTranslation? {
        if case .translation(let translation) = preparation { translation } else { nil }
    }

    /// Sets up the translation of the response, just before the request is sent.
    ///
    /// - Returns: the id of the translated request's operation; nil if it is the client's.
    func begin(_ request: PreparedRequest, _ metadata: ServerRequestMetadata, _ handler: RelayHandler) -> String? {
        guard let translation, var context = request.context else { return nil }
        // Item ids may contain only letters, digits and underscores.
        context.id = String(metadata.record.requestID.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
        let now = handler.realtime()
        context.created = Int(now / 1_000_000_000)
        context.clock = ResponseClock(startedAt: now, now: handler.realtime) { Timestamp.append($0, to: &$1) }
        if let turn { note(turn, in: &context, metadata.record) }
        translator = translation.translator(context)
        return translation.outgoing.id
    }

    private func note(_ turn: LocalTurn, in context: inout ResponseContext, _ record: RequestRecord) {
        context.previousResponseID = turn.previous
        context.conversationID = turn.conversationID
        guard let id = turn.id else { return }
        context.id = id
        context.isKept = true
        // Later requests can continue the stored response.
        record.facts.noteConversation(turn.threadID ?? "resp_\(id)")
    }

    /// Creates the event transform of an attempt. Returns nil if the usual transform of the operation applies.
    func stream(of attempt: RelayAttempt) -> (any StreamTransform)? {
        let (handler, errors) = (attempt.handler, attempt.upstream.errors)
        if let translator {
            let ended = turn.map { turn in { [handler] in turn.keep($0, at: handler.realtime()) } }
            return TranslatedStream(translator, errors: errors, eventLimit: handler.eventLimit, ended: ended)
        }
        guard let turn, let conversation = turn.conversationID,
            let events = handler.transform(for: attempt) as? TypedStreamTransform
        else { return nil }
        return ConversationStream(
            events, in: ResponseConversation(id: conversation), errors: errors, eventLimit: handler.eventLimit
        ) { turn.keep($0, isOwn: false, at: handler.realtime()) }
    }

    /// Stores a translated response. ``LocalTurnMiddleware`` stores responses in the upstream's own format.
    func keep(_ document: [UInt8], at realtime: () -> Int64) {
        if translator != nil { turn?.keep(document, at: realtime()) }
    }
}
