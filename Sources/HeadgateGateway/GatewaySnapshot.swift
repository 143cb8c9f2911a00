package import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
package import HeadgateRelay

/// Compiled configuration that serves requests: immutable, replaced as a whole.
package struct GatewaySnapshot: Sendable {
    let relay: RelaySnapshot
    let capabilities: Capabilities
    /// Whether it was compiled for managed keys, because some existed or could appear.
    package let servesManagedKeys: Bool

    /// - Parameters:
    ///   - configuration: without keys, the gateway is keyless unless managed keys are shared with other machines.
    ///     Models whose first target is at none of the upstreams are left out.
    ///   - upstreams: upstreams of the configuration, with their transports.
    package init(
        _ configuration: Configuration, upstreams: [UpstreamDefinition], parts: GatewayParts = GatewayParts()
    ) {
        let managed = parts.managedKeys?.lookup(for: configuration, hasLedger: parts.ledger != nil)
        servesManagedKeys = managed?.isCompiled ?? false
        let keys = ClientKeys(configuration.keys, groups: configuration.groups, managed: managed)
        // A single caller may see everything about its own requests.
        let hasOneCaller = configuration.keys.count + parts.callersWithoutKey <= 1 && managed?.isCompiled != true
        let isLimited =
            keys.areLimited || configuration.budget != nil || configuration.models.contains { $0.limits != nil }
        let capabilities = CapabilityOrder.capabilities(of: configuration, parts)
        self.capabilities = capabilities
        let state = parts.state
        var compiler = RouteCompiler(
            definitions: upstreams, state: state.targets, relaysRateLimits: hasOneCaller && !isLimited,
            hasResponseFields: configuration.hasResponseFields, cacheMemory: configuration.cacheMemory,
            prices: configuration.prices, middlewares: capabilities.perAttempt)
        let models = compiler.table(of: configuration.models)
        let pricing = RequestPricing(configuration.prices, models: models)
        relay = RelaySnapshot(
            models: models, keys: keys,
            variants: upstreams.map { compiler.variants(of: $0, $0.configuration.timeouts) },
            definitions: upstreams, targets: state.targets, wrongKeys: state.wrongKeys,
            bodyLimit: configuration.limits.body,
            bodies: BodyBudget(memory: state.bodyMemory, limit: configuration.limits.bodyMemory),
            eventLimit: configuration.limits.event, origins: configuration.origins,
            stored: StoredResponseAccess(
                makers: state.responseMakers, isOpen: configuration.storedResponses == .any || hasOneCaller),
            kept: parts.keptResponses, hasOneCaller: hasOneCaller, hasResponseFields: configuration.hasResponseFields,
            pricing: pricing, readsCache: pricing != nil || capabilities.all.contains(where: \.readsUsage),
            summarizes: configuration.compaction == .summarize)
    }

    /// Returns the budgets and the state that alerts are derived from.
    ///
    /// - Parameters:
    ///   - configuration: the configuration that the snapshot was compiled from.
    ///   - state: state of the process.
    ///   - managed: managed keys, if there can be any.
    ///   - isFirst: whether this is the first configuration of the process.
    package func alertView(
        _ configuration: Configuration, _ state: GatewayState, managed: ManagedKeys?, isFirst: Bool
    ) -> AlertView {
        AlertView(relay.keys, configuration, state, managed: managed, isFirst: isFirst)
    }

    /// The public model names, without patterns.
    package var modelNames: [String] { relay.models.names }
}
