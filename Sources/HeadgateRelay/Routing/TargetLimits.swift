internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// The limits that are checked before a request is sent to a target, and the state that they depend on.
package struct TargetLimits: Sendable {
    package struct Breaker: Sendable {
        /// Number of consecutive failures that opens the breaker.
        package let failures: Int
        /// Time for which the breaker stays open, in nanoseconds.
        let cooldown: UInt64
    }

    /// The limit on requests in flight at one upstream.
    package struct Flight: Sendable {
        package let queue: UpstreamQueue
        package let limit: Int
        /// Maximum time that a request waits for a free slot.
        package let timeout: Duration
    }

    /// Hash of the target's name, for rendezvous hashing.
    let nameHash: UInt64
    package let health: TargetHealth
    /// The circuit breaker; nil if the target is tried regardless of past failures.
    package let breaker: Breaker?
    package let keys: KeyRing
    package let reach: UpstreamReach
    /// The limit on requests in flight; nil if there is none.
    package let flight: Flight?
    /// Whether the target can be used without a network.
    package let isLocal: Bool

    /// Whether every request is sent at once, because there is neither a breaker nor a limit on requests in flight.
    var isNone: Bool { breaker == nil && flight == nil }
}

extension TargetLimits.Breaker {
    init(_ configuration: BreakerConfiguration) {
        self.init(failures: configuration.failures, cooldown: configuration.cooldown.wholeNanoseconds)
    }
}
