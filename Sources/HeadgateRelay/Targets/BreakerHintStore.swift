/// Where several gateways tell each other which targets fail them. On a loop; nobody waits for it.
package protocol BreakerHintStore: Sendable {
    /// Says which breakers of this gateway are open, in place of what it has said before, and asks for those of others.
    ///
    /// - Parameter completion: called once, on the loop, perhaps before this returns; given nil where the store has not
    ///   answered in time.
    func exchange(_ own: [BreakerHint], completion: @escaping ([BreakerHint]?) -> Void)
}

/// A target whose breaker is open at some gateway.
package struct BreakerHint: Sendable, Hashable {
    package let upstream: String
    /// The upstream's name for it.
    package let model: String
    /// Nanoseconds until the cooldown ends.
    package let remaining: UInt64

    package init(upstream: String, model: String, remaining: UInt64) {
        self.upstream = upstream
        self.model = model
        self.remaining = remaining
    }
}
