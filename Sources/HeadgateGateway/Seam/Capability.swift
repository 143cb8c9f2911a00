internal import HeadgateConfiguration
internal import HeadgateContract
package import HeadgateHTTP
internal import HeadgatePrimitives

/// One feature around requests, with everything that it adds to the gateway. A member that is nil costs nothing.
///
/// The closures are called when a configuration is compiled, and return nil for what is not configured. Those for
/// readiness and metrics are called with each request for them. The list of all capabilities defines their order.
package struct Capability: Sendable {
    /// The configuration key, or the feature's name.
    package let name: String
    /// Admits requests whose caller is not known yet. The operation is nil on paths without a route.
    var arrival: (@Sendable (CapabilityContext, OperationDescription?) -> (any ServerGate)?)?
    /// Admits requests of a known caller before their bodies are read.
    var gate: (@Sendable (CapabilityContext, OperationDescription) -> (any ServerGate)?)?
    /// Wraps the relayed requests of an operation.
    var perRequest: (@Sendable (CapabilityContext, RelayOperation) -> (any RelayMiddleware)?)?
    /// Wraps the attempts at an upstream.
    var perAttempt: (@Sendable (UpstreamDefinition, UpstreamTimeouts) -> (any UpstreamMiddleware)?)?
    /// Gets the outcomes.
    var observer: (@Sendable (CapabilityContext) -> (any OutcomeObserver)?)?
    /// Whether it needs the use of tokens in full, cached ones included.
    var readsUsage = false
    /// Operations that the contract does not have, such as those of a capability from outside the gateway.
    var operations: [OperationDescription] = []
    /// Responds to operations, by their ids.
    var handlers: (@Sendable (CapabilityContext) -> [String: RequestHandler])?
    /// Writes its section of `/readyz?verbose`.
    var readiness: (@Sendable (inout JSONMembers) -> Void)?
    /// Its gauges and counters.
    ///
    /// - Parameter now: monotonic nanoseconds.
    var metrics: (@Sendable (_ context: CapabilityContext, _ now: UInt64) -> [MetricFamily])?

    /// Middleware from outside the gateway.
    package static func added(
        _ name: String, perRequest: (any RelayMiddleware)? = nil, perAttempt: (any UpstreamMiddleware)? = nil
    ) -> Capability {
        var capability = Capability(name: name)
        if let perRequest { capability.perRequest = { _, _ in perRequest } }
        if let perAttempt { capability.perAttempt = { _, _ in perAttempt } }
        return capability
    }
}

/// Everything that the parts of a capability are made from, besides its own stores and configuration.
struct CapabilityContext: Sendable {
    let relay: RelaySnapshot
    /// In their order.
    let capabilities: Capabilities
    let readiness: Readiness
    let requestIDs: RequestIDGenerator
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64
    /// Seconds since 1970: when this configuration was loaded.
    let startedAt: Int64
    /// Whether metrics are for every caller that needs no key, as on a listener of their own.
    let opensMetrics: Bool

    var authentication: AuthenticationMiddleware {
        AuthenticationMiddleware(keys: relay.keys, wrongKeys: relay.wrongKeys, now: realtime)
    }

    var discovery: ModelDiscovery {
        ModelDiscovery(relay.definitions, models: relay.models, realtime: realtime)
    }
}
