/// The state of a gateway and of one of its requests, as read from `/status/data`.
package struct GatewayAccount: Sendable, Equatable {
    /// The time of the start, which distinguishes gateways, and restarts of the same gateway.
    package var startedAt: String
    package var streamsInFlight: Int
    /// How the request ended; nil if it is not among the last requests that ended.
    package var outcome: String?

    package init(startedAt: String = "", streamsInFlight: Int = 0, outcome: String? = nil) {
        self.startedAt = startedAt
        self.streamsInFlight = streamsInFlight
        self.outcome = outcome
    }
}
