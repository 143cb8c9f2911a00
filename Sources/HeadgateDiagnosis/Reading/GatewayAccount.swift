/// A gateway's state and one of its requests, as read from `/status/data`.
package struct GatewayAccount: Sendable, Equatable {
    /// Distinguishes gateways, and restarts of one.
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
