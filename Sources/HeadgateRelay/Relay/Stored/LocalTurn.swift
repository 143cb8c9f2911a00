internal import HeadgateDialects
package import HeadgateHTTP

/// One turn of what the gateway keeps: what has to be known of the request once its response is complete.
package final class LocalTurn {
    /// The response that it continues.
    let previous: String?
    /// The first of those before it.
    private let first: String?
    /// Of the response that is kept, without `resp_`; nil where the client wants none kept.
    let id: String?
    private let kept: LocalResponses
    private let turn: ResponsesTurn
    private let conversation: ContinuedRequest.Conversation?
    private let owner: KeyDigest
    /// Covers the request, which stays here until its response is complete.
    private let allowance: BodyAllowance?
    package private(set) var isOver = false

    package init(_ request: ContinuedRequest, _ kept: LocalResponses, by owner: KeyDigest, _ allowance: BodyAllowance?)
    {
        self.kept = kept
        self.owner = owner
        self.allowance = allowance
        turn = request.turn
        previous = request.previous
        first = request.first
        conversation = request.conversation
        id = turn.wishesKeeping ? LocalResponses.makeID() : nil
    }

    package var conversationID: String? { conversation?.turn?.conversation }
    /// By what the turns that belong together are known: their conversation, or the first response of all.
    package var threadID: String? { conversation == nil ? first : turn.conversationID }

    /// Keeps the response, where the client wishes that, and what was said, where it was said in a conversation.
    ///
    /// - Parameters:
    ///   - response: as the client gets it.
    ///   - isOwn: whether the gateway has written it, under its id.
    ///   - now: nanoseconds since 1970.
    package func keep(_ response: [UInt8], isOwn: Bool = true, at now: Int64) {
        guard !isOver else { return }
        isOver = true
        let end = now / 1_000_000_000 + kept.lifetime
        let own = isOwn ? id : nil
        let document = own.map { id in
            LocalResponse(
                id: "resp_\(id)", owner: owner.bytes, previous: previous, input: turn.items, document: response)
        }
        if let conversation, let turn = conversation.turn {
            let input = conversation.input
            let octets = ConversationItem.size(of: input) + response.count + (document?.input.count ?? 0)
            kept.store.end(
                turn, adding: { input + ConversationItems.output(of: response) }, keeping: document, octets: octets,
                until: end)
        } else if let document {
            kept.store.keep(document, until: end)
        }
    }

    /// There will be no complete response.
    package func giveUp() {
        // Else the turn ends where it is written.
        guard !isOver else { return }
        isOver = true
        conversation?.turn?.end()
    }
}

extension Outcome {
    /// For the request's trace.
    package mutating func noteConversation(_ id: String?) {
        if let id, trace != nil { notes[.conversation] = id }
    }
}
