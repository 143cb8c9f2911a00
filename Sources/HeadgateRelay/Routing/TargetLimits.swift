package import HeadgateConfiguration
internal import HeadgatePrimitives

/// What decides before a request is sent whether a target gets it, and the state that this depends on.
package struct TargetLimits: Sendable {
    package struct Breaker: Sendable {
        /// Consecutive ones that open it.
        package let failures: Int
        /// Nanoseconds.
        let cooldown: UInt64
    }

    /// How many requests an upstream has in flight at most.
    package struct Flight: Sendable {
        package let queue: UpstreamQueue
        package let limit: Int
        /// Of the wait for one to end.
        package let timeout: Duration
    }

    /// For rendezvous hashing.
    let nameHash: UInt64
    package let health: TargetHealth
    /// Nil for a target that is tried whatever happened before.
    package let breaker: Breaker?
    package let keys: KeyRing
    package let reach: UpstreamReach
    /// Nil without a limit on the requests in flight.
    package let flight: Flight?
    /// Whether it can be used without a network.
    package let isLocal: Bool

    /// Whether every request is sent at once.
    var isNone: Bool { breaker == nil && flight == nil }
}

extension TargetLimits.Breaker {
    package init(_ configuration: BreakerConfiguration) {
        self.init(failures: configuration.failures, cooldown: configuration.cooldown.wholeNanoseconds)
    }
}
