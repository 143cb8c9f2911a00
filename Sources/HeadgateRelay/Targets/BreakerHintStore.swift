/// A store through which gateways share which of their targets fail. Runs on an event loop; requests never wait for it.
package protocol BreakerHintStore: Sendable {
    /// Publishes the open breakers of this gateway, replacing those published before, and reads those of other
    /// gateways.
    ///
    /// - Parameter completion: called once, on the event loop, possibly before this method returns; receives nil if the
    ///   store did not respond in time.
    func exchange(_ own: [BreakerHint], completion: @escaping ([BreakerHint]?) -> Void)
}

/// A target whose breaker is open at a gateway.
package struct BreakerHint: Sendable, Hashable {
    package let upstream: String
    /// The upstream's name for the model.
    package let model: String
    /// Nanoseconds until the cooldown ends.
    package let remaining: UInt64

    package init(upstream: String, model: String, remaining: UInt64) {
        self.upstream = upstream
        self.model = model
        self.remaining = remaining
    }
}
