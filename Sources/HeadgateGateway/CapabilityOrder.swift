internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateHTTP

/// The order of everything around a request, and the only place that defines it.
///
/// A request passes the gates, the parts around requests from the first to the last, and at each target of its model
/// the parts around attempts. Observers get its outcome in the reverse order.
package struct CapabilityOrder: Sendable {
    private let all: [Capability]

    /// - Parameter added: from outside the gateway.
    init(adding added: [Capability] = []) {
        let outer: [Capability] = [
            // A refused request has not begun. One that has begun is noted, whatever becomes of it.
            .ollama, .limits, .ledger, .tracing, .metrics, .status, .accessLog,
            // Responses are damaged and detached outside the cache, which keeps what upstreams have sent.
            .faults, .disconnect, .cost, .cache,
            // The upstream's work uses tokens, whoever reads the response.
            .estimation,
        ]
        all = outer + added + [.localResponses, .recording]
    }

    /// The gates of an operation; without one, those of paths without a route.
    func gates(
        of operation: OperationDescription?, observedBy observers: [any OutcomeObserver],
        in gateway: GatewayComposition
    ) -> [any ServerGate] {
        var gates: [any ServerGate] = [
            RequestIDMiddleware(generator: gateway.requestIDs),
            ObservationMiddleware(observers: observers, isPolled: operation?.isPolled ?? false),
        ]
        gates += all.compactMap { $0.arrival?(gateway, operation) }
        gates.append(OriginGuardMiddleware(rules: gateway.snapshot.origins))
        guard let operation, case .key = operation.authentication else { return gates }
        gates.append(gateway.authentication)
        gates += all.compactMap { $0.gate?(gateway, operation) }
        switch operation.requestBody {
        case .none: break
        case .json: gates.append(JSONBodyMiddleware(limit: gateway.snapshot.bodyLimit))
        case .form: gates.append(FormBodyMiddleware())
        }
        return gates
    }

    func perRequest(of operation: RelayOperation, in gateway: GatewayComposition) -> [any RelayMiddleware] {
        all.compactMap { $0.perRequest?(gateway, operation) }
    }

    func perAttempt(
        at upstream: UpstreamDefinition, _ timeouts: UpstreamTimeouts, in attempts: AttemptComposition
    ) -> [any UpstreamMiddleware] {
        all.compactMap { $0.perAttempt?(attempts, upstream, timeouts) }
    }

    func observers(in gateway: GatewayComposition) -> [any OutcomeObserver] {
        all.reversed().compactMap { $0.observer?(gateway) }
    }
}

extension CapabilityOrder {
    /// One of the chains, for `headgate routes --chain`.
    package struct Listing: Sendable {
        package let title: String
        /// Outermost first.
        package let parts: [String]
    }

    /// The chains of a gateway with every capability configured.
    package static let listings: [Listing] = {
        let all = CapabilityOrder().all
        let arrival = all.filter { $0.arrival != nil }.map(\.name)
        let gates = all.filter { $0.gate != nil }.map(\.name)
        return [
            Listing(
                title: "Before the body is read",
                parts: ["request id", "observation"] + arrival + ["origin", "authentication"] + gates + ["body"]),
            Listing(
                title: "Around each request for a model", parts: all.filter { $0.perRequest != nil }.map(\.name)),
            Listing(
                title: "Around each attempt at a target of the model",
                parts: all.filter { $0.perAttempt != nil }.map(\.name)),
            Listing(
                title: "When the request is over", parts: all.reversed().filter { $0.observer != nil }.map(\.name)),
        ]
    }()
}
