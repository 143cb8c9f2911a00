internal import HeadgateConfiguration
package import HeadgateContract
package import HeadgateHTTP
internal import HeadgatePrimitives
package import HeadgateRelay

/// One feature around requests, with everything that it adds to the gateway. A member that is nil costs nothing.
///
/// The closures are called when a configuration is compiled, and return nil for parts that are not configured. The
/// closures for readiness and metrics are called with each request for them. The list of all capabilities defines their
/// order.
package struct Capability: Sendable {
    /// Configuration key, or name of the feature.
    package let name: String
    /// Admits requests whose caller is not known yet. The operation is nil on paths without a route.
    var arrival: (@Sendable (CapabilityContext, OperationDescription?) -> (any ServerGate)?)?
    /// Admits requests of a known caller before their bodies are read.
    var gate: (@Sendable (CapabilityContext, OperationDescription) -> (any ServerGate)?)?
    /// Wraps the relayed requests of an operation.
    var perRequest: (@Sendable (CapabilityContext, RelayOperation) -> (any RelayMiddleware)?)?
    /// Wraps the attempts at an upstream.
    var perAttempt: (@Sendable (UpstreamDefinition, UpstreamTimeouts) -> (any UpstreamMiddleware)?)?
    /// Receives the outcomes.
    var observer: (@Sendable (CapabilityContext) -> (any OutcomeObserver)?)?
    /// Whether the capability needs the full token usage, including cached tokens.
    var readsUsage = false
    /// Operations that the contract lacks, such as those of a capability from outside the gateway. Operations without a
    /// handler have no route.
    var operations: [OperationDescription] = []
    /// Responds to operations, by their ids.
    var handlers: (@Sendable (CapabilityContext) -> [String: RequestHandler])?
    /// Writes its section of `/readyz?verbose`.
    var readiness: (@Sendable (inout JSONMembers) -> Void)?
    /// Returns its gauges and counters.
    ///
    /// - Parameter now: monotonic nanoseconds.
    var metrics: (@Sendable (_ context: CapabilityContext, _ now: UInt64) -> [MetricFamily])?

    /// Name of the built-in capability that a request passes next, for a capability from outside the gateway.
    package var before: String?

    /// Creates a capability from parts outside the gateway.
    package static func added(
        _ name: String, perRequest: (any RelayMiddleware)? = nil, perAttempt: (any UpstreamMiddleware)? = nil,
        observer: (any OutcomeObserver)? = nil
    ) -> Capability {
        var capability = Capability(name: name)
        if let perRequest { capability.perRequest = { _, _ in perRequest } }
        if let perAttempt { capability.perAttempt = { _, _ in perAttempt } }
        if let observer { capability.observer = { _ in observer } }
        return capability
    }

    /// Creates a capability from a route outside the gateway.
    package static func added(_ operation: OperationDescription, handler: RequestHandler) -> Capability {
        var capability = Capability(name: operation.id)
        capability.operations = [operation]
        capability.handlers = { _ in [operation.id: handler] }
        return capability
    }
}

extension Capability {
    /// Capability that passes requests through to upstreams with `passthrough: true`. Without such an upstream it has
    /// no route.
    static let passthrough: Capability = {
        var capability = Capability(name: "passthrough")
        capability.operations = PassthroughHandler.operations
        capability.handlers = { context in
            guard let handler = PassthroughHandler(context.relay) else { return [:] }
            return [PassthroughHandler.operationID: .direct { handler.handle($0, $1, $2, completion: $3) }]
        }
        return capability
    }()
}

/// Dependencies of a capability's parts, besides its own stores and configuration.
struct CapabilityContext: Sendable {
    let relay: RelaySnapshot
    /// All capabilities, in order.
    let capabilities: Capabilities
    let readiness: Readiness
    let requestIDs: RequestIDGenerator
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64
    /// Time when this configuration was loaded, in seconds since 1970.
    let startedAt: Int64
    /// Whether callers that need no key can read metrics, as on a separate listener.
    let opensMetrics: Bool

    var authentication: AuthenticationMiddleware {
        AuthenticationMiddleware(keys: relay.keys, wrongKeys: relay.wrongKeys, now: realtime)
    }

    var discovery: ModelDiscovery {
        ModelDiscovery(relay.definitions, models: relay.models, realtime: realtime)
    }
}
