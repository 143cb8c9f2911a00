internal import HeadgateDialects
internal import HeadgateHTTP

/// One turn of a conversation that the gateway keeps: what has to be known of the request once its response is
/// complete.
final class KeptTurn {
    let previous: String?
    /// Of the response that is kept, without `resp_`; nil where the client wants none kept.
    let id: String?
    private let kept: KeptResponses
    private let turn: ResponsesTurn
    private let owner: KeyDigest
    /// Covers the request, which stays here until its response is complete.
    private let allowance: BodyAllowance?

    init(
        _ turn: ResponsesTurn, after previous: String?, _ kept: KeptResponses, by owner: KeyDigest,
        _ allowance: BodyAllowance?
    ) {
        self.turn = turn
        self.previous = previous
        self.kept = kept
        self.owner = owner
        self.allowance = allowance
        id = turn.wishesKeeping ? KeptResponses.makeID() : nil
    }

    /// - Parameters:
    ///   - response: as the client gets it.
    ///   - now: nanoseconds since 1970.
    func keep(_ response: [UInt8], at now: Int64) {
        guard let id else { return }
        kept.store.keep(
            KeptResponse(
                id: "resp_\(id)", owner: owner.bytes, previous: previous, input: turn.items, document: response),
            until: now / 1_000_000_000 + kept.lifetime)
    }
}
