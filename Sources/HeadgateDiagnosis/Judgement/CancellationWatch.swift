/// Looks in a gateway's `/status/data` for a request that its client canceled.
///
/// Instants are nanoseconds since the cancellation.
package struct CancellationWatch: Sendable {
    /// The time that a gateway may need to notice that a client has left.
    private static let longestWait = Clock.milliseconds(3000)
    /// The time allowed for bytes in flight when a client leaves.
    private static let grace = Clock.milliseconds(250)

    /// The last time at which each gateway was asked without knowing an end of the request, by the time of its start.
    private var missing: [String: UInt64] = [:]

    package init() {}

    /// Evaluates what a gateway says about the request.
    ///
    /// - Returns: The result; nil if the status has to be read again.
    package mutating func read(
        _ account: GatewayAccount, askedAt: UInt64, respondedAt: UInt64
    ) -> ExchangeDiagnosis.Cancellation? {
        guard let outcome = account.outcome else { return absent(account, askedAt: askedAt, respondedAt: respondedAt) }
        switch outcome {
        case "client_gone": return .noticed(after: respondedAt)
        case "finished":
            // Over a slow network, a response may end before the gateway sees that the client has left.
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
        // Behind a load balancer, another gateway may have the request.
        return missing.count == 1 && account.streamsInFlight > 0 ? .unnoticed(after: respondedAt) : .unknown
    }
}
