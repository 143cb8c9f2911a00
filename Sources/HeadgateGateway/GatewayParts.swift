package import HeadgateHTTP

/// Everything that a gateway is given besides its configuration and its upstreams. Nil for what it does without.
package struct GatewayParts: Sendable {
    /// Callers that are admitted without a key, such as users of a socket.
    package var callersWithoutKey = 0
    /// The keys that are managed beside those of the configuration.
    package var managedKeys: ManagedKeys?
    /// The store of those keys.
    package var keyStore: (any KeyStore)?
    /// How the gateway keeps responses itself.
    package var keptResponses: LocalResponses?
    /// The store of cached responses besides the memory.
    package var cacheStore: (any CachedResponseStore)?
    /// The store in which several gateways share streams that go on without their clients.
    package var streamStore: (any StreamStore)?
    /// Records attempts, or replays them.
    package var recording: (any UpstreamMiddleware)?
    package var ledger: (any UsageLedger)?
    /// The counters that several gateways share.
    package var counters: SharedLimits?
    package var tracing: Tracing?
    package var accessLog: AccessLog?
    /// Keeps outcomes for `/status`.
    package var status: StatusBoard?
    /// Counts requests for `/metrics`.
    package var metrics: (any MetricRecording)?
    /// Capabilities from outside the gateway.
    package var added: [Capability] = []
    package var state = GatewayState()

    package init() {}
}
