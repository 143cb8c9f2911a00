internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// What an attempt knows of a request that does not go out in the client's words, or whose response the gateway keeps.
/// Loop-confined.
final class TurnedRequest {
    let preparation: RequestPreparation
    /// Nil where the gateway keeps nothing of it.
    private let turn: KeptTurn?
    /// How the response is turned into one of the client's format; nil before the request is sent, and where it is in
    /// that format already.
    private(set) var translator: ResponseTranslator?

    init(_ request: RelayRequest, at target: ModelTarget, _ upstream: Upstream, _ handler: RelayHandler) {
        turn = request.companion?.turn
        preparation = handler.preparation(for: target, upstream, turn)
    }

    /// Nil for a request that is not translated.
    var translation: OutgoingTranslation? {
        if case .translation(let translation) = preparation { translation } else { nil }
    }

    /// The request is about to be sent.
    ///
    /// - Returns: the operation that the upstream is asked for; nil for the client's.
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

    private func note(_ turn: KeptTurn, in context: inout ResponseContext, _ record: RequestRecord) {
        context.previousResponseID = turn.previous
        context.conversationID = turn.conversationID
        guard let id = turn.id else { return }
        context.id = id
        context.isKept = true
        // Others may continue it.
        record.facts.noteConversation(turn.threadID ?? "resp_\(id)")
    }

    /// - Returns: nil for a stream in the client's format that nothing is added to.
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

    /// The whole response is about to be sent. That of an upstream's own format is kept when its conversation is named.
    func keep(_ document: [UInt8], at realtime: () -> Int64) {
        if translator != nil { turn?.keep(document, at: realtime()) }
    }
}
