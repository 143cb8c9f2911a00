internal import HeadgateDialects
package import HeadgateHTTP

/// Turn that the gateway stores: the facts of the request that are needed once its response is complete.
package final class LocalTurn {
    /// Id of the response that the turn continues.
    let previous: String?
    /// Id of the first response in that chain.
    private let first: String?
    /// Id of the response to store, without `resp_`; nil if the client wants none stored.
    let id: String?
    private let kept: LocalResponses
    private let turn: ResponsesTurn
    private let conversation: ContinuedRequest.Conversation?
    private let owner: KeyDigest
    /// Memory allowance for the request, which is retained here until its response is complete.
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
    /// Id shared by all turns that belong together: their conversation, or the first response of the chain.
    package var threadID: String? { conversation == nil ? first : turn.conversationID }

    /// Stores the response if the client wants it stored, and adds the turn's items to its conversation if it has one.
    ///
    /// - Parameters:
    ///   - response: document that the client receives.
    ///   - isOwn: whether the gateway has written the response, under its own id.
    ///   - now: current time in nanoseconds since 1970.
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

    /// Ends the turn without a complete response.
    package func cancel() {
        // A turn that is already over ends when the store writes it.
        guard !isOver else { return }
        isOver = true
        conversation?.turn?.end()
    }
}

extension Outcome {
    /// Records the conversation's id if the request is traced.
    package mutating func noteConversation(_ id: String?) {
        if let id, trace != nil { notes[.conversation] = id }
    }
}
