internal import HeadgateConfiguration
internal import HeadgateRelay

/// Order of all capabilities around a request. No other place defines it.
package enum CapabilityOrder {
    static func capabilities(of configuration: Configuration, _ parts: GatewayParts) -> Capabilities {
        let state = parts.state
        let limits = LimitPolicy(configuration, ledger: parts.ledger, shared: parts.counters, state)
        let inspect = configuration.inspect
        let outer: [Capability] = [
            .overload(parts.load),
            // Sees requests and responses as the client does.
            .inspection(inspect, state),
            // Limits come first, because a request that they refuse has not begun. A request that has begun is
            // recorded, whatever its outcome. Everything after the presets sees the request with the model's
            // instructions.
            .ollama, .presets, .limits(limits), .ledger(parts.ledger), .tracing(parts.tracing), .metrics(parts.metrics),
            .status(parts.status, limits), .accessLog(parts.accessLog),
            // Faults and detaching are outside the cache, which stores responses as upstreams sent them.
            .faults(configuration.faultInjection), .disconnect(configuration.streams, parts.streamStore, state),
            .cost, .cache(parts.cacheStore, state),
        ]
        let inner: [Capability] = [
            .localResponses(parts.keptResponses), .attemptInspection(inspect, state), .recording(parts.recording),
            .managedKeys(parts.managedKeys, parts.keyStore, configuration, limits, state),
            .passthrough,
        ]
        return Capabilities(inserting(parts.added, into: outer, inner))
    }

    /// Puts each added capability before the one that it names, or between the outer and the inner ones.
    private static func inserting(
        _ added: [Capability], into outer: [Capability], _ inner: [Capability]
    ) -> [Capability] {
        var all = outer + added.filter { $0.before == nil } + inner
        for capability in added where capability.before != nil {
            guard let index = all.firstIndex(where: { $0.name == capability.before }) else {
                preconditionFailure("no capability \(capability.before ?? "") to stand before")
            }
            all.insert(capability, at: index)
        }
        return all
    }

    /// Names of all built-in capabilities, outermost first.
    package static let names = everything.map(\.name)

    /// The capabilities of a gateway with every one configured.
    private static var everything: [Capability] {
        capabilities(of: Configuration(upstreams: [], models: []), GatewayParts()).all
    }
}

extension CapabilityOrder {
    /// One of the chains, for `headgate routes --chain`.
    package struct Listing: Sendable {
        package let title: String
        /// Names, outermost first.
        package let parts: [String]
    }

    /// The chains of a gateway with every capability configured.
    package static let listings: [Listing] = {
        let all = everything
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
