package import HeadgateDialects
package import HeadgateHTTP
internal import JSONBytes

/// Request together with the history that it continues.
package struct ContinuedRequest: Sendable {
    /// Conversation stored by the gateway that the request belongs to.
    package struct Conversation: Sendable {
        /// Open turn of the conversation; nil if nothing will be added to it.
        let turn: ConversationTurn?
        /// Items of the request itself, without the history.
        let input: [ConversationItem]
    }

    /// Turn as the client sent it.
    package let turn: ResponsesTurn
    package let envelope: RequestEnvelope
    /// Id of the response that the request continues, if the gateway has stored it.
    var previous: String?
    /// Id of the first response in that chain.
    var first: String?
    var conversation: Conversation?

    package var isContinuation: Bool { previous != nil || conversation != nil }
}

/// Search for the history that a request continues, as far as the gateway has stored it.
package struct ContinuationSearch {
    let kept: LocalResponses
    let access: StoredResponseAccess
    /// Current time in nanoseconds since 1970.
    let now: Int64
    /// Whether the items of the request and its response will be added to the conversation.
    package var isTurn = true

    package init(kept: LocalResponses, access: StoredResponseAccess, now: Int64, isTurn: Bool = true) {
        self.kept = kept
        self.access = access
        self.now = now
        self.isTurn = isTurn
    }
}

extension PendingCall {
    /// Loads the history that a request continues, in one or more steps of the call.
    ///
    /// - Parameter goOn: called once, on the loop of the request.
    package func continued(
        _ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata, _ search: ContinuationSearch,
        then goOn: @escaping (Result<ContinuedRequest, any Error>) -> Void
    ) {
        read(envelope.size, metadata) { () throws(GatewayError) in
            try ContinuedRequest(envelope)
        } then: { [self] result in
            switch result {
            case .failure: goOn(result)
            case .success(let request):
                if let id = request.turn.conversationID, LocalResponses.isConversationID(id) {
                    findItems(of: id, request, metadata, search, then: goOn)
                } else if let id = envelope.previousResponseID, LocalResponses.isID(id) {
                    findTurns(before: id, request, metadata, search, then: goOn)
                } else {
                    goOn(result)
                }
            }
        }
    }

    private func findTurns(
        before id: String, _ request: ContinuedRequest, _ metadata: ServerRequestMetadata, _ search: ContinuationSearch,
        then goOn: @escaping (Result<ContinuedRequest, any Error>) -> Void
    ) {
        let (kept, owner) = (search.kept, search.access.owner(metadata))
        ask(metadata, orFail: .responsesUnavailable) { _, answer in
            kept.store.findChain(
                endingAt: id, of: owner, at: search.now / 1_000_000_000, within: kept.chains, completion: answer)
        } then: { [self] (result: Result<ResponseChain, any Error>) in
            switch result {
            case .failure(let error): goOn(.failure(error))
            case .success(.unknown): goOn(.failure(GatewayError.unknownPreviousResponse))
            case .success(.broken): goOn(.failure(GatewayError.brokenConversation))
            case .success(.tooLong): goOn(.failure(GatewayError.longConversation))
            case .success(.found(let turns)):
                let octets = turns.reduce(request.envelope.size) { $0 + $1.size }
                read(octets, metadata, { () throws(GatewayError) in try request.continuing(turns) }, then: goOn)
            }
        }
    }

    private func findItems(
        of id: String, _ request: ContinuedRequest, _ metadata: ServerRequestMetadata, _ search: ContinuationSearch,
        then goOn: @escaping (Result<ContinuedRequest, any Error>) -> Void
    ) {
        let (kept, owner) = (search.kept, search.access.owner(metadata))
        let limits = kept.conversations
        ask(metadata, orFail: .conversationsUnavailable) { interest, answer in
            kept.store.ask(
                search.isTurn ? .turn(limits) : .history(limits), about: id, of: owner,
                at: search.now / 1_000_000_000, for: interest, completion: answer)
        } then: { [self] (result: Result<ConversationAnswer, any Error>) in
            switch result {
            case .failure(let error): goOn(.failure(error))
            case .success(.turn(let turn, let items)): join(request, to: items, in: turn, metadata, then: goOn)
            case .success(.history(let items)): join(request, to: items, in: nil, metadata, then: goOn)
            case .success(let answer): goOn(.failure(answer.error(naming: "conversation")))
            }
        }
    }

    private func join(
        _ request: ContinuedRequest, to items: [ConversationItem], in turn: ConversationTurn?,
        _ metadata: ServerRequestMetadata, then goOn: @escaping (Result<ContinuedRequest, any Error>) -> Void
    ) {
        let octets = items.reduce(request.envelope.size) { $0 + $1.size }
        read(octets, metadata, { () throws(GatewayError) in try request.continuing(items, in: turn) }, then: goOn)
    }

    private func read(
        _ octets: Int, _ metadata: ServerRequestMetadata,
        _ work: @escaping @Sendable () throws(GatewayError) -> ContinuedRequest,
        then goOn: @escaping (Result<ContinuedRequest, any Error>) -> Void
    ) {
        guard octets <= LongDocument.threshold else { return aside(metadata, work, then: goOn) }
        goOn(Result { () throws(GatewayError) in try work() }.mapError { $0 })
    }
}

extension ContinuedRequest {
    /// Reads a request without its history.
    ///
    /// - Throws: ``GatewayError`` if the body is invalid, names both a conversation and a previous response, or
    ///   requests a background response in a conversation that the gateway stores.
    fileprivate init(_ envelope: RequestEnvelope) throws(GatewayError) {
        self.envelope = envelope
        do throws(JSONError) {
            turn = try ResponsesTurn(envelope.bytes)
        } catch {
            throw .invalidRequest(400, "The request body is refused: \(error.description).", code: "invalid_json")
        }
        // The stored response repeats the metadata.
        if turn.wishesKeeping, let metadata = turn.metadata {
            _ = try ConversationRequest.metadata(try? JSONValue(metadata))
        }
        guard envelope.namesConversation else { return }
        if envelope.previousResponseID != nil { throw .conversationAndPrevious }
        let isKept = turn.conversationID.map(LocalResponses.isConversationID) ?? false
        if isKept, turn.isBackground { throw .backgroundInConversation }
    }

    private init(_ turn: ResponsesTurn, _ envelope: RequestEnvelope) {
        self.turn = turn
        self.envelope = envelope
    }

    /// Puts the turns of a chain of responses before the request's input.
    ///
    /// - Parameter turns: oldest first; not empty.
    fileprivate func continuing(_ turns: [LocalResponse]) throws(GatewayError) -> ContinuedRequest {
        let last = turns[turns.count - 1]
        // The request would continue only this response's own turn, without the rest of its conversation.
        if let id = ResponsesTurn.conversation(of: last.document) { throw .responseOfConversation(id) }
        let history = turns.flatMap { [$0.input, ResponsesTurn.output(of: $0.document)] }
        var request = ContinuedRequest(turn, try envelope(after: history))
        request.previous = last.id
        request.first = turns[0].id
        return request
    }

    fileprivate func continuing(
        _ items: [ConversationItem], in conversation: ConversationTurn?
    ) throws(GatewayError) -> ContinuedRequest {
        let input = try ConversationItems.read(turn.items, at: "input")
        var request = ContinuedRequest(turn, try envelope(after: [ConversationItems.elements(items)]))
        request.conversation = Conversation(turn: conversation, input: input)
        return request
    }

    private func envelope(after history: [[UInt8]]) throws(GatewayError) -> RequestEnvelope {
        try RequestEnvelope(turn.request(after: history), shape: envelope.shape)
    }
}
