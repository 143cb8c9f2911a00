/// Reads a gateway's accounts of its requests for one that its client left. Instants are nanoseconds since it left.
package struct CancellationWatch: Sendable {
    /// How long a gateway may take to notice.
    private static let patience = Clock.milliseconds(3000)
    /// What may be on its way when a client leaves.
    private static let grace = Clock.milliseconds(250)

    /// For each gateway by its start: when it was asked last and had no end of the request to tell of.
    private var missing: [String: UInt64] = [:]

    package init() {}

    /// - Returns: what became of it; nil where that is to be asked again.
    package mutating func read(
        _ account: GatewayAccount, askedAt: UInt64, answeredAt: UInt64
    ) -> ExchangeDiagnosis.Cancellation? {
        guard let outcome = account.outcome else { return absent(account, askedAt: askedAt, answeredAt: answeredAt) }
        switch outcome {
        case "client_gone": return .noticed(after: answeredAt)
        case "finished":
            // Over a slow way an answer may well end before the gateway can know that nobody reads it.
            let roundTrip = answeredAt - askedAt
            let livedOn = missing[account.startedAt] ?? 0
            return livedOn > CancellationWatch.grace + roundTrip ? .unnoticed(after: livedOn) : .tooShort
        default: return .ended(outcome)
        }
    }

    private mutating func absent(
        _ account: GatewayAccount, askedAt: UInt64, answeredAt: UInt64
    ) -> ExchangeDiagnosis.Cancellation? {
        missing[account.startedAt] = askedAt
        guard answeredAt > CancellationWatch.patience else { return nil }
        // Where several answer by turns, another one may have it.
        return missing.count == 1 && account.streamsInFlight > 0 ? .unnoticed(after: answeredAt) : .unknown
    }
}

/// What a gateway's `/status/data` says of itself and of one request.
package struct GatewayAccount: Sendable, Equatable {
    /// Tells one gateway, or one life of it, from another.
    package var startedAt: String
    package var streamsInFlight: Int
    /// How the request ended; nil while it is not among the last ones that have.
    package var outcome: String?

    package init(startedAt: String = "", streamsInFlight: Int = 0, outcome: String? = nil) {
        self.startedAt = startedAt
        self.streamsInFlight = streamsInFlight
        self.outcome = outcome
    }
}
