package import HeadgateConfiguration
package import HeadgateHTTP
package import HeadgatePrices

/// The configuration as requests see it: compiled, immutable, swapped as a whole.
package struct GatewaySnapshot: Sendable {
    let models: ModelTable
    let keys: ClientKeys
    /// Those of the configuration.
    let configuredKeys: [KeyConfiguration]
    /// The names of the groups that they may be in.
    let groupNames: [String]
    /// Where keys are managed; nil for nowhere.
    let keyStore: (any KeyStore)?
    let managedKeys: ManagedKeys?
    /// Whether it was compiled for managed keys, as there were some.
    package let servesManagedKeys: Bool
    /// In the order of the configuration, with their own deadlines.
    let upstreams: [Upstream]
    /// The definitions that they were made from.
    let definitions: [UpstreamDefinition]
    let bodyLimit: Int
    let bodies: BodyBudget
    /// Octets of one event of a stream.
    let eventLimit: Int
    let origins: OriginRules
    let capabilities: CapabilityOrder
    /// How streams are kept that go on without their clients.
    let streams: StreamsConfiguration
    /// Where several gateways keep them; nil where each has its own.
    let streamStore: (any StreamStore)?
    /// Whether every caller may reach every stored response.
    let opensStoredResponses: Bool
    /// How the gateway keeps responses itself; nil where it does not.
    let keptResponses: KeptResponses?
    /// Whether nobody but one caller uses the gateway, from whom nothing of it is secret.
    let hasOneCaller: Bool
    let hasResponseFields: Bool
    /// Nil where nothing is traced.
    let tracing: Tracing?
    /// Nil where none are injected.
    let faults: FaultRules?
    /// Nil where nothing has a price.
    let pricing: RequestPricing?
    /// Nil where none is kept.
    let ledger: (any UsageLedger)?
    let cacheStore: (any CachedResponseStore)?
    let limits: LimitPolicy
    /// Whether anything is limited.
    let isLimited: Bool
    /// Whether some model is.
    let limitsModels: Bool
    /// Hears of outcomes for the ledger.
    let ledgerNotes: LedgerNotes?
    let state: GatewayState

    /// - Parameters:
    ///   - models: the upstream of each one's first target is one of the definitions; others are left out.
    ///   - keys: empty makes the gateway keyless, unless managed keys are shared with other machines.
    ///   - groups: what their keys share.
    ///   - budget: of all requests together.
    ///   - managedKeys: those that are managed beside them; nil for none.
    ///   - keyStore: where those are kept; nil for nowhere.
    ///   - callersWithoutKey: callers that are admitted without a key, such as users of a socket.
    ///   - cacheMemory: octets of all answers that models with a cache keep.
    ///   - cacheStore: where those are kept besides the memory; nil for nowhere.
    ///   - keptResponses: how the gateway keeps responses itself; nil where it does not.
    ///   - streams: how those are kept that go on without their clients.
    ///   - streamStore: where several gateways keep them; nil where each has its own.
    ///   - faults: injected on purpose.
    ///   - recording: records attempts, or replays them; nil for neither.
    ///   - added: capabilities from outside the gateway.
    ///   - prices: what models cost; nil where nobody wants to know.
    ///   - ledger: where it is kept what requests use; nil for nowhere.
    ///   - counters: where limits are counted for several gateways; nil where this one counts by itself.
    ///   - hasResponseFields: whether responses say where they come from.
    ///   - tracing: of requests and attempts; nil for none.
    ///   - state: of the process, whatever its configuration.
    package init(
        upstreams: [UpstreamDefinition], models: [ModelConfiguration], keys: [KeyConfiguration],
        groups: [GroupConfiguration] = [], budget: BudgetConfiguration? = nil,
        managedKeys: ManagedKeys? = nil, keyStore: (any KeyStore)? = nil,
        callersWithoutKey: Int = 0, limits: LimitsConfiguration, origins: OriginRules = OriginRules(),
        storedResponses: StoredResponses = .own, keptResponses: KeptResponses? = nil,
        cacheMemory: Int = CacheConfiguration.standardMemory, cacheStore: (any CachedResponseStore)? = nil,
        streams: StreamsConfiguration = StreamsConfiguration(), streamStore: (any StreamStore)? = nil,
        faults: FaultInjectionConfiguration = FaultInjectionConfiguration(),
        recording: (any UpstreamMiddleware)? = nil, adding added: [Capability] = [], prices: PriceList? = nil,
        ledger: (any UsageLedger)? = nil, counters: SharedLimits? = nil, hasResponseFields: Bool = true,
        tracing: Tracing? = nil, state: GatewayState = GatewayState()
    ) {
        let managed = managedKeys.map { ManagedKeyLookup($0, beside: keys, groups: groups, hasLedger: ledger != nil) }
        // What one caller does is no secret from itself.
        let isOneCallersOwn = keys.count + callersWithoutKey <= 1 && managed?.isCompiled != true
        let clientKeys = ClientKeys(keys, groups: groups, managed: managed)
        limitsModels = models.contains { $0.limits != nil }
        let isLimited = clientKeys.areLimited || budget != nil || limitsModels
        self.isLimited = isLimited
        self.faults = faults.isEnabled ? FaultRules(faults.rules) : nil
        let capabilities = CapabilityOrder(adding: added)
        self.capabilities = capabilities
        let attempts = AttemptComposition(tracing: tracing, faults: self.faults, recording: recording)
        var compiler = RouteCompiler(
            definitions: upstreams, state: state.targets, relaysRateLimits: isOneCallersOwn && !isLimited,
            hasResponseFields: hasResponseFields, cacheMemory: cacheMemory, prices: prices,
            middlewares: { capabilities.perAttempt(at: $0, $1, in: attempts) })
        self.models = compiler.table(of: models)
        let pricing = RequestPricing(prices, models: self.models)
        self.pricing = pricing
        self.definitions = upstreams
        self.upstreams = upstreams.map { compiler.variants(of: $0, $0.configuration.timeouts)[0] }
        self.streams = streams
        self.streamStore = streamStore
        self.tracing = tracing
        self.ledger = ledger
        self.cacheStore = cacheStore
        ledgerNotes = LedgerNotes(ledger, models: self.models, pricing: pricing)
        self.keys = clientKeys
        configuredKeys = keys
        groupNames = groups.map(\.name)
        self.managedKeys = managedKeys
        servesManagedKeys = managed?.isCompiled ?? false
        self.keyStore = keyStore
        self.limits = LimitPolicy(
            counters: state.limits, overall: LimitRules(nil, budget: budget, of: .gateway), ledger: ledger,
            hasResponseFields: hasResponseFields, shared: counters)
        bodyLimit = limits.body
        bodies = BodyBudget(memory: state.bodyMemory, limit: limits.bodyMemory)
        eventLimit = limits.event
        self.origins = origins
        self.hasResponseFields = hasResponseFields
        self.state = state
        self.keptResponses = keptResponses
        hasOneCaller = isOneCallersOwn
        opensStoredResponses = storedResponses == .any || isOneCallersOwn
    }

    var budgets: BudgetOverview { BudgetOverview(keys, limits) }

    /// Whether requests are limited whatever their model.
    var limitsCallers: Bool { keys.areLimited || limits.overall != nil }

    /// Whether somebody wants to know what upstreams say of their caches.
    var readsCache: Bool { pricing != nil || ledger != nil }

    /// The public model names, without patterns.
    package var modelNames: [String] { models.names }
}

extension GatewaySnapshot {
    /// In the order of the configuration.
    var observedUpstreams: [ObservedUpstream] {
        zip(upstreams, definitions).map { ObservedUpstream($0, $1, state.targets) }
    }
}
