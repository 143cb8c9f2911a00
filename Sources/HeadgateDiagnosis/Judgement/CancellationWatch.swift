/// Looks in a gateway's `/status/data` for a request that its client cancelled. Instants are nanoseconds since then.
package struct CancellationWatch: Sendable {
    /// How long a gateway may take to notice that a client has left.
    private static let longestWait = Clock.milliseconds(3000)
    /// For bytes in flight when a client leaves.
    private static let grace = Clock.milliseconds(250)

    /// For each gateway, by the time of its start: when it was last asked without knowing an end of the request.
    private var missing: [String: UInt64] = [:]

    package init() {}

    /// - Returns: the result; nil if the status has to be read again.
    package mutating func read(
        _ account: GatewayAccount, askedAt: UInt64, respondedAt: UInt64
    ) -> ExchangeDiagnosis.Cancellation? {
        guard let outcome = account.outcome else { return absent(account, askedAt: askedAt, respondedAt: respondedAt) }
        switch outcome {
        case "client_gone": return .noticed(after: respondedAt)
        case "finished":
            // Over a slow network a response may end before the gateway sees that the client has left.
            let roundTrip = respondedAt - askedAt
            let livedOn = missing[account.startedAt] ?? 0
            return livedOn > CancellationWatch.grace + roundTrip ? .unnoticed(after: livedOn) : .tooShort
        default: return .ended(outcome)
        }
    }

    private mutating func absent(
        _ account: GatewayAccount, askedAt: UInt64, respondedAt: UInt64
    ) -> ExchangeDiagnosis.Cancellation? {
        missing[account.startedAt] = askedAt
        guard respondedAt > CancellationWatch.longestWait else { return nil }
        // Behind a load balancer another gateway may have it.
        return missing.count == 1 && account.streamsInFlight > 0 ? .unnoticed(after: respondedAt) : .unknown
    }
}
