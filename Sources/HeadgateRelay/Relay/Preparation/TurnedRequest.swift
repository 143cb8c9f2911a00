internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// The part of an attempt for requests that are prepared, or whose responses the gateway stores. Loop-confined.
final class TurnedRequest {
    let preparation: RequestPreparation
    /// Nil if the gateway stores nothing of the request.
    private let turn: LocalTurn?
    /// Translates the response; nil before the request is sent, and if the response is in the client's format.
    private(set) var translator: ResponseTranslator?

    init(_ request: RelayRequest, at target: ModelTarget, _ upstream: Upstream, _ handler: RelayHandler) {
        turn = request.companion?.turn
        preparation = handler.preparation(for: target, upstream, turn)
    }

    /// Nil for a request that is not translated.
    var translation: OutgoingTranslation? {
        if case .translation(let translation) = preparation { translation } else { nil }
    }

    /// Sets up the translation of the response, just before the request is sent.
    ///
    /// - Returns: the operation of the translated request; nil if it is the client's.
    func begin(_ request: PreparedRequest, _ metadata: ServerRequestMetadata, _ handler: RelayHandler) -> String? {
        guard let translation, var context = request.context else { return nil }
        // Ids of items may hold letters, digits and underscores only.
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
        // Later requests can continue it.
        record.facts.noteConversation(turn.threadID ?? "resp_\(id)")
    }

    /// Makes the transform of the events; nil if the usual one of the operation does.
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

    /// Stores a translated response. ``LocalTurnMiddleware`` stores those in the upstream's own format.
    func keep(_ document: [UInt8], at realtime: () -> Int64) {
        if translator != nil { turn?.keep(document, at: realtime()) }
    }
}
