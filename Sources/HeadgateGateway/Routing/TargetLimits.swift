internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// What decides before a request is sent whether a target gets it, and the state that this depends on.
struct TargetLimits: Sendable {
    struct Breaker: Sendable {
        /// Consecutive ones that open it.
        let failures: Int
        /// Nanoseconds.
        let cooldown: UInt64
    }

    /// How many requests an upstream has in flight at most.
    struct Flight: Sendable {
        let queue: UpstreamQueue
        let limit: Int
        /// Of the wait for one to end.
        let timeout: Duration
    }

    /// For rendezvous hashing.
    let nameHash: UInt64
    let health: TargetHealth
    /// Nil for a target that is tried whatever happened before.
    let breaker: Breaker?
    let keys: KeyRing
    let reach: UpstreamReach
    /// Nil without a limit on the requests in flight.
    let flight: Flight?
    /// Whether it can be used without a network.
    let isLocal: Bool

    /// Whether every request is sent at once.
    var isNone: Bool { breaker == nil && flight == nil }
}

extension TargetLimits.Breaker {
    init(_ configuration: BreakerConfiguration) {
        self.init(failures: configuration.failures, cooldown: configuration.cooldown.wholeNanoseconds)
    }
}
