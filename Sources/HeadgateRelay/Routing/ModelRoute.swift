package import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrices
internal import HeadgatePrimitives

/// The route of one public model name: its targets, and the rules for choosing among them and retrying.
package final class ModelRoute: Sendable {
    /// The targets in the order of the configuration; at least one.
    package let targets: [ModelTarget]
    package let choice: TargetChoice
    package let affinity: AffinityRule?
    package let rules: RetryRules
    /// Total deadline of a request, including all attempts; nil for no deadline.
    package let total: Duration?
    /// The policy for caching responses; nil if nothing is cached.
    package let cache: CachePolicy?
    /// The policy for hedging attempts; nil if no attempt is hedged.
    package let hedge: HedgePolicy?
    package let onDisconnect: OnDisconnect
    /// Limits on all requests of the model together; nil if there are none.
    package let limits: LimitRules?
    /// Maximum tokens of one completion; nil if not configured.
    package let maximumOutput: Int?
    /// Instructions that are added to requests; nil if not configured.
    package let instructions: InstructionRules?
    /// Description in lists of models; nil if not configured.
    let description: String?
    /// Service tiers that requests may select.
    let tiers: ServiceTiers
    /// The target of a route with one target, one key, no retries, no total deadline, no breaker and no limit on
    /// requests in flight. Most routes are of this kind, and their requests skip all other steps.
    package let single: ModelTarget?
    /// Whether any target has a catalogue, so that a name can be listed at one target and not at another.
    private let hasLists: Bool
    /// Whether the parameters of any target set or remove a service tier.
    let setsTiers: Bool
    /// Whether any target gets only some of the requests.
    package let hasConditions: Bool

    init(
        _ targets: [ModelTarget], choice: TargetChoice = .first, affinity: AffinityRule? = nil,
        rules: RetryRules = RetryRules(), total: Duration? = nil, cache: CachePolicy? = nil, hedge: HedgePolicy? = nil,
        onDisconnect: OnDisconnect = .cancel, limits: LimitRules? = nil, maximumOutput: Int? = nil,
        instructions: InstructionRules? = nil, description: String? = nil, tiers: ServiceTiers = .all
    ) {
        self.targets = targets
        self.choice = choice
        self.affinity = affinity
        self.rules = rules
        self.total = total
        self.cache = cache
        self.hedge = hedge
        self.onDisconnect = onDisconnect
        self.limits = limits
        self.maximumOutput = maximumOutput
        self.instructions = instructions
        self.description = description
        self.tiers = tiers
        hasLists = targets.contains { $0.catalogue != nil }
        setsTiers = targets.contains { $0.tierRules != nil }
        hasConditions = targets.contains { $0.condition != nil }
        single = targets.count == 1 && rules.attempts == 1 && total == nil && targets[0].isPlain ? targets[0] : nil
    }

    /// Returns whether the route passes requested names unchanged to the upstream, so that the gateway lists the names
    /// of that upstream.
    func passesNames(to upstream: String) -> Bool {
        targets.contains { $0.model == nil && $0.upstream.name.isExactly(upstream) }
    }

    /// Whether the health of the targets affects the routing of requests.
    package var hasHealth: Bool { targets.count > 1 || targets[0].limits.breaker != nil }

    /// Returns for each target whether its upstream lists a name. The result is empty if no upstream lists the name;
    /// the lists then do not affect the order of the targets.
    func listings(of model: String) -> [TargetCandidate.Listing] {
        guard hasLists else { return [] }
        var listings = targets.map { $0.listing(of: model) }
        guard listings.contains(.listed) else { return [] }
        // A target with a fixed upstream name does not need a list.
        for index in targets.indices where targets[index].model != nil { listings[index] = .listed }
        return listings
    }
}

/// A target of a model's requests: an upstream, and the model's name there.
package final class ModelTarget: Sendable {
    /// The upstream, once for each of its keys; at least one element.
    let upstreams: [Upstream]
    /// The upstream's name for the model; nil to send the public name.
    package let model: String?
    /// The parameter rules of the upstream or the model.
    package let parameters: ParameterRewriting?
    package let weight: Int
    package let limits: TargetLimits
    /// The upstream's catalogue of models; nil if it does not affect the choice of targets.
    let catalogue: CatalogueAccess?
    let price: TargetPrice
    /// The requests that the target gets; nil for all.
    let condition: TargetCondition?
    /// Service tiers that its parameters set or remove; nil if they do not.
    let tierRules: TierRules?

    init(
        _ upstreams: [Upstream], model: String? = nil, parameters: ParameterRewriting? = nil, weight: Int = 1,
        limits: TargetLimits, catalogue: CatalogueAccess? = nil, price: TargetPrice = .fixed(nil),
        condition: TargetCondition? = nil, tierRules: TierRules? = nil
    ) {
        self.upstreams = upstreams
        self.model = model
        self.parameters = parameters
        self.weight = weight
        self.limits = limits
        self.catalogue = catalogue
        self.price = price
        self.condition = condition
        self.tierRules = tierRules
        let upstream = upstreams[0]
        changesNothing = parameters == nil && !upstream.isOnDevice && upstream.systemMessages != .joined
        repairs = upstream.repairs
        mendsRefusals = upstream.repairs.mends
    }

    /// The upstream with its first key.
    package var upstream: Upstream { upstreams[0] }

    /// Whether every request is sent at once: the target has at most one key, no breaker and no limit on requests in
    /// flight.
    var isPlain: Bool { upstreams.count == 1 && limits.isNone }

    /// Whether request parameters need neither changes nor checks.
    var takesRequestsAsTheyAre: Bool { changesNothing && !repairs.isInUse }
    private let changesNothing: Bool
    /// Whether the gateway repairs requests that the upstream refuses for a known reason.
    let mendsRefusals: Bool
    private let repairs: RepairMemory

    package var speaksAnthropic: Bool { if case .anthropic = upstream.kind { true } else { false } }

    /// Looks up a name in the upstream's last list, regardless of its age.
    fileprivate func listing(of model: String) -> TargetCandidate.Listing {
        guard let catalogue else { return .unknown }
        var list: ListedModels?
        catalogue { list = $0.list }
        guard let list else { return .unknown }
        return list.contains(model) ? .listed : .unlisted
    }

    /// Returns the service tier that the upstream sees.
    func tier(selectedBy request: ServiceTier?) -> ServiceTier? {
        tierRules.map { $0.tier(selectedBy: request) } ?? request
    }

    /// Returns the upstream's name for a model.
    package func name(of requested: String) -> String { model ?? requested }

    /// Returns the model name to write into responses; nil to leave the upstream's name.
    func publicModel(_ requested: String) -> String? { model == nil ? nil : requested }
}
