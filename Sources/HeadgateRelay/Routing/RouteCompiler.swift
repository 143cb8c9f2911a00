package import HeadgateConfiguration
package import HeadgateHTTP
package import HeadgatePrices
internal import HeadgatePrimitives

/// A compiler of configured models into routes. Models with the same deadlines share the middleware chains of their
/// upstreams.
package struct RouteCompiler {
    private struct Variant: Hashable {
        let upstream: ExactText
        let timeouts: UpstreamTimeouts
    }

    private let definitions: [ExactText: UpstreamDefinition]
    private let state: TargetStates
    private let relaysRateLimits: Bool
    private let hasResponseFields: Bool
    private let cacheMemory: Int
    private let prices: PriceList?
    /// Creates the middlewares of an upstream.
    private let middlewares: (UpstreamDefinition, UpstreamTimeouts) -> [any UpstreamMiddleware]
    private var variants: [Variant: [Upstream]] = [:]
    private var count = 0

    package init(
        definitions: [UpstreamDefinition], state: TargetStates, relaysRateLimits: Bool, hasResponseFields: Bool,
        cacheMemory: Int, prices: PriceList? = nil,
        middlewares: @escaping (UpstreamDefinition, UpstreamTimeouts) -> [any UpstreamMiddleware]
    ) {
        self.definitions = Dictionary(definitions.map { (ExactText($0.name), $0) }) { first, _ in first }
        self.state = state
        self.relaysRateLimits = relaysRateLimits
        self.hasResponseFields = hasResponseFields
        self.cacheMemory = cacheMemory
        self.prices = prices
        self.middlewares = middlewares
    }

    /// Returns the upstream once for each of its keys, or once without a key if it has none.
    package mutating func variants(of definition: UpstreamDefinition, _ timeouts: UpstreamTimeouts) -> [Upstream] {
        let variant = Variant(upstream: ExactText(definition.name), timeouts: timeouts)
        if let known = variants[variant] { return known }
        let middlewares = middlewares(definition, timeouts)
        let upstreams = (0..<max(1, definition.credentials.count)).map { key in
            Upstream(
                definition, number: count + key, key: key, timeouts: timeouts, relaysRateLimits: relaysRateLimits,
                namesItself: hasResponseFields, middlewares: middlewares)
        }
        variants[variant] = upstreams
        count += upstreams.count
        return upstreams
    }

    /// Compiles the routes of all models. Skips targets whose upstream does not exist, and models without targets.
    package mutating func table(of models: [ModelConfiguration]) -> ModelTable {
        var table = ModelTable()
        for model in models {
            let targets = model.targets.compactMap { target(model, $0) }
            guard !targets.isEmpty else { continue }
            let hasChoice = targets.count > 1 || targets[0].upstreams.count > 1
            table.add(
                model.name,
                ModelRoute(
                    targets, choice: model.choice, affinity: AffinityRule(model.affinity),
                    rules: RetryRules(model.retry, hasChoice: hasChoice), total: model.total,
                    cache: CachePolicy(model.cache, memory: cacheMemory, targets: cachedTargets(of: model)),
                    hedge: hedge(of: model),
                    onDisconnect: model.onDisconnect,
                    limits: LimitRules(model.limits, of: LimitSubject(kind: .model, name: model.name)),
                    maximumOutput: model.maximumOutput, instructions: model.instructions,
                    description: model.description, tiers: model.tiers))
        }
        return table
    }

    private func cachedTargets(of model: ModelConfiguration) -> [CachedTarget] {
        model.targets.compactMap { target in
            definitions[ExactText(target.upstream)].map { CachedTarget($0.configuration, target) }
        }
    }

    private func hedge(of model: ModelConfiguration) -> HedgePolicy? {
        guard let hedge = model.hedge else { return nil }
        return HedgePolicy(
            after: hedge.after, times: hedge.after == .p95 ? state.firstContentTimes(of: model.name) : nil)
    }

    private mutating func target(_ model: ModelConfiguration, _ target: TargetConfiguration) -> ModelTarget? {
        guard let definition = definitions[ExactText(target.upstream)] else { return nil }
        return ModelTarget(
            variants(of: definition, target.timeouts), model: target.model,
            parameters: ParameterRewriting(target.parameters), weight: target.weight,
            limits: limits(model, target, definition), catalogue: catalogue(model, target, definition),
            price: TargetPrice(
                prices, upstreamModel: target.model, publicModel: model.name,
                isOnDevice: definition.configuration.kind == .onDevice,
                isLocal: definition.configuration.isDeclaredLocal), condition: target.condition,
            tierRules: TierRules(target.parameters))
    }

    /// Returns the upstream's catalogue if a pattern routes to several targets and the upstream can list the requested
    /// name.
    private func catalogue(
        _ model: ModelConfiguration, _ target: TargetConfiguration, _ definition: UpstreamDefinition
    ) -> CatalogueAccess? {
        guard model.targets.count > 1, target.model == nil, model.name.patternPrefix != nil,
            definition.configuration.listsModels(isNamedByPattern: true)
        else { return nil }
        return definition.catalogue
    }

    private func limits(
        _ model: ModelConfiguration, _ target: TargetConfiguration, _ definition: UpstreamDefinition
    ) -> TargetLimits {
        // A sole target has no breaker unless the configuration sets one.
        let breaker = target.breaker ?? (model.targets.count > 1 ? BreakerConfiguration() : nil)
        let name = TargetName(upstream: definition.name, model: target.model ?? model.name)
        return TargetLimits(
            nameHash: name.stableHash, health: state.health(of: name), breaker: breaker.map(TargetLimits.Breaker.init),
            keys: state.keyRing(definition.credentials, of: definition.name), reach: state.reach(of: definition.name),
            flight: TargetLimits.Flight(of: definition, state), isLocal: definition.configuration.isLocal)
    }
}

extension TargetLimits.Flight {
    /// Creates the limit on requests in flight; nil if the upstream has none.
    package init?(of definition: UpstreamDefinition, _ state: TargetStates) {
        guard let limit = definition.configuration.maximumInFlight else { return nil }
        self.init(
            queue: state.queue(of: definition.name), limit: limit, timeout: definition.configuration.queueTimeout)
    }
}

extension RetryRules {
    /// - Parameter hasChoice: whether there is another target or another key to try.
    package init(_ configuration: RetryConfiguration, hasChoice: Bool) {
        self.init(
            attempts: configuration.attempts ?? (hasChoice ? 2 : 1), backoff: configuration.backoff.wholeNanoseconds,
            maximumBackoff: configuration.maximumBackoff.wholeNanoseconds,
            budgetPercent: configuration.budgetPercent, faults: configuration.faults)
    }
}
