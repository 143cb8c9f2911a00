package import HeadgateHTTP
package import HeadgateRelay

/// Parts of a gateway besides its configuration and upstreams. A part that the gateway does without is nil.
package struct GatewayParts: Sendable {
    /// Number of callers that are admitted without a key, such as users of a socket.
    package var callersWithoutKey = 0
    /// Keys that are managed at run time, in addition to those of the configuration.
    package var managedKeys: ManagedKeys?
    /// Store of the managed keys.
    package var keyStore: (any KeyStore)?
    /// Responses that the gateway stores itself.
    package var keptResponses: LocalResponses?
    /// Store of cached responses in addition to memory.
    package var cacheStore: (any CachedResponseStore)?
    /// Store in which several gateways share detached streams.
    package var streamStore: (any StreamStore)?
    /// Middleware that records or replays attempts.
    package var recording: (any UpstreamMiddleware)?
    package var ledger: (any UsageLedger)?
    /// Counters that several gateways share.
    package var counters: SharedLimits?
    package var tracing: Tracing?
    package var accessLog: AccessLog?
    /// Board of outcomes for `/status`.
    package var status: StatusBoard?
    /// Recorder of request metrics for `/metrics`.
    package var metrics: (any MetricRecording)?
    /// Watch over the load on the loops.
    package var load: (any LoadWatch)?
    /// Capabilities from outside the gateway.
    package var added: [Capability] = []
    package var state = GatewayState()

    package init() {}
}
