internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Capabilities of a gateway in order, as chains.
///
/// A request passes the gates, then the middleware around requests from the first to the last. Each attempt at a target
/// of its model passes the middleware around attempts. Observers get the outcome in the reverse order.
struct Capabilities: Sendable {
    let all: [Capability]

    init(_ all: [Capability]) { self.all = all }

    /// Returns the gates of an operation; without one, those of paths without a route.
    func gates(
        of operation: OperationDescription?, observedBy observers: [any OutcomeObserver],
        in context: CapabilityContext
    ) -> [any ServerGate] {
        var gates: [any ServerGate] = [
            RequestIDMiddleware(generator: context.requestIDs),
            ObservationMiddleware(observers: observers, isPolled: operation?.isPolled ?? false),
        ]
        gates += all.compactMap { $0.arrival?(context, operation) }
        gates.append(OriginGuardMiddleware(rules: context.relay.origins))
        guard let operation, case .key = operation.authentication else { return gates }
        gates.append(context.authentication)
        gates += all.compactMap { $0.gate?(context, operation) }
        switch operation.requestBody {
        case .none: break
        case .json: gates.append(JSONBodyMiddleware(limit: context.relay.bodyLimit))
        case .form: gates.append(FormBodyMiddleware())
        }
        return gates
    }

    func perRequest(of operation: RelayOperation, in context: CapabilityContext) -> [any RelayMiddleware] {
        all.compactMap { $0.perRequest?(context, operation) }
    }

    func perAttempt(at upstream: UpstreamDefinition, _ timeouts: UpstreamTimeouts) -> [any UpstreamMiddleware] {
        all.compactMap { $0.perAttempt?(upstream, timeouts) }
    }

    func observers(in context: CapabilityContext) -> [any OutcomeObserver] {
        all.reversed().compactMap { $0.observer?(context) }
    }

    func handlers(in context: CapabilityContext) -> [String: RequestHandler] {
        all.reduce(into: [:]) { handlers, capability in
            handlers.merge(capability.handlers?(context) ?? [:]) { _, _ in
                preconditionFailure("\(capability.name) responds to an operation that another capability has")
            }
        }
    }

    func writeReadiness(_ output: inout JSONMembers) { for capability in all { capability.readiness?(&output) } }

    /// - Parameter now: monotonic nanoseconds.
    func metrics(in context: CapabilityContext, at now: UInt64) -> [MetricFamily] {
        all.flatMap { $0.metrics?(context, now) ?? [] }
    }
}

extension OperationDescription {
    /// Whether load balancers, service managers or the status page poll the operation, or it serves a page's asset.
    var isPolled: Bool { OperationDescription.polled.contains(id) }

    private static let polled: Set<String> = [
        OperationTable.getStatus.id, OperationTable.getMetrics.id, OperationTable.getLiveness.id,
        OperationTable.getReadiness.id, OperationTable.getHealth.id, OperationTable.getWebAsset.id,
        OperationTable.getDocumentationAsset.id,
    ]
}
