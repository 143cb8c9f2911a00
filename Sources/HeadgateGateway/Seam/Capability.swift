internal import HeadgateConfiguration
internal import HeadgateContract
package import HeadgateHTTP

/// One feature around requests: its parts of the chains, and its observer of outcomes.
///
/// Each part is made once per operation or upstream. If none is made, requests do not pass it. ``CapabilityOrder``
/// defines the order.
package struct Capability: Sendable {
    /// The configuration key, or the feature's name.
    package let name: String
    /// Admits requests whose caller is not known yet. The operation is nil on paths without a route.
    var arrival: (@Sendable (GatewayComposition, OperationDescription?) -> (any ServerGate)?)?
    /// Admits requests of a known caller before their bodies are read.
    var gate: (@Sendable (GatewayComposition, OperationDescription) -> (any ServerGate)?)?
    /// Wraps the relayed requests of an operation.
    var perRequest: (@Sendable (GatewayComposition, RelayOperation) -> (any RelayMiddleware)?)?
    /// Wraps the attempts at an upstream.
    var perAttempt: (@Sendable (AttemptComposition, UpstreamDefinition, UpstreamTimeouts) -> (any UpstreamMiddleware)?)?
    /// Gets the outcomes.
    var observer: (@Sendable (GatewayComposition) -> (any OutcomeObserver)?)?

    /// Middleware from outside the gateway.
    package static func added(
        _ name: String, perRequest: (any RelayMiddleware)? = nil, perAttempt: (any UpstreamMiddleware)? = nil
    ) -> Capability {
        var capability = Capability(name: name)
        if let perRequest { capability.perRequest = { _, _ in perRequest } }
        if let perAttempt { capability.perAttempt = { _, _, _ in perAttempt } }
        return capability
    }
}

/// Everything that the parts of capabilities are made from.
struct GatewayComposition {
    let snapshot: GatewaySnapshot
    let state: GatewayState
    let requestIDs: RequestIDGenerator
    let accessLog: AccessLog
    let status: StatusBoard
    /// Nil if requests are not counted.
    let metrics: (any MetricRecording)?
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    var authentication: AuthenticationMiddleware {
        AuthenticationMiddleware(keys: snapshot.keys, wrongKeys: state.wrongKeys, now: realtime)
    }

    var discovery: ModelDiscovery {
        ModelDiscovery(snapshot.definitions, models: snapshot.models, realtime: realtime)
    }

    var storedAccess: StoredResponseAccess {
        StoredResponseAccess(makers: state.responseMakers, isOpen: snapshot.opensStoredResponses)
    }
}

/// Everything that the parts around attempts are made from. It exists before the models' routes.
struct AttemptComposition {
    let tracing: Tracing?
    let faults: FaultRules?
    let recording: (any UpstreamMiddleware)?
}
