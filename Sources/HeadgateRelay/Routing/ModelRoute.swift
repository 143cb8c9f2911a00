package import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Where requests for one public name go, and how often.
package final class ModelRoute: Sendable {
    /// As configured: one at least.
    package let targets: [ModelTarget]
    package let choice: TargetChoice
    package let affinity: AffinityRule?
    package let rules: RetryRules
    /// How long a request may take with all its attempts; nil without a limit.
    package let total: Duration?
    /// What is kept of its answers; nil for nothing.
    package let cache: CachePolicy?
    /// Nil where no attempt is hedged.
    package let hedge: HedgePolicy?
    package let onDisconnect: OnDisconnect
    /// Of all its requests; nil where nothing is limited.
    package let limits: LimitRules?
    /// Most tokens of one completion; nil if not configured.
    package let maximumOutput: Int?
    /// The target of a model with nothing to choose, to count or to try again: most have one, and nothing more is done
    /// for their requests.
    package let single: ModelTarget?
    /// Whether a name may be at one target and not at another.
    private let hasLists: Bool

    package init(
        _ targets: [ModelTarget], choice: TargetChoice = .first, affinity: AffinityRule? = nil,
        rules: RetryRules = RetryRules(), total: Duration? = nil, cache: CachePolicy? = nil, hedge: HedgePolicy? = nil,
        onDisconnect: OnDisconnect = .cancel, limits: LimitRules? = nil, maximumOutput: Int? = nil
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
        hasLists = targets.contains { $0.catalogue != nil }
        single = targets.count == 1 && rules.attempts == 1 && total == nil && targets[0].isPlain ? targets[0] : nil
    }

    /// Whether the gateway lists the names of an upstream that this pattern leads to.
    func passesNames(to upstream: String) -> Bool {
        targets.contains { $0.model == nil && $0.upstream.name.isExactly(upstream) }
    }

    /// Whether the health of its targets decides where requests go.
    package var hasHealth: Bool { targets.count > 1 || targets[0].limits.breaker != nil }

    /// For each target what its upstream's list says about a name; empty where no upstream lists it, and the name says
    /// nothing about the order.
    func listings(of model: String) -> [TargetCandidate.Listing] {
        guard hasLists else { return [] }
        var listings = targets.map { $0.listing(of: model) }
        guard listings.contains(.listed) else { return [] }
        // What has a fixed name at its upstream needs no list.
        for index in targets.indices where targets[index].model != nil { listings[index] = .listed }
        return listings
    }
}

/// One place where a model's requests can go: an upstream, and the model's name there.
package final class ModelTarget: Sendable {
    /// The upstream with each of its keys; at least one element.
    package let upstreams: [Upstream]
    /// The upstream's name for the model; nil to send the public name.
    package let model: String?
    /// The parameter rules of the upstream or the model.
    package let parameters: ParameterRewriting?
    package let weight: Int
    package let limits: TargetLimits
    /// What the upstream lists; nil where the target does not serve any of that.
    let catalogue: CatalogueAccess?
    let price: TargetPrice

    package init(
        _ upstreams: [Upstream], model: String? = nil, parameters: ParameterRewriting? = nil, weight: Int = 1,
        limits: TargetLimits, catalogue: CatalogueAccess? = nil, price: TargetPrice = .fixed(nil)
    ) {
        self.upstreams = upstreams
        self.model = model
        self.parameters = parameters
        self.weight = weight
        self.limits = limits
        self.catalogue = catalogue
        self.price = price
        let upstream = upstreams[0]
        changesNothing = parameters == nil && !upstream.isOnDevice && upstream.systemMessages != .joined
        repairs = upstream.repairs
        mendsRefusals = upstream.repairs.mends
    }

    /// With the first key.
    package var upstream: Upstream { upstreams[0] }

    /// Whether nothing decides about its requests before they are sent.
    var isPlain: Bool { upstreams.count == 1 && limits.isNone }

    /// Whether parameters need neither a change nor a check.
    var takesRequestsAsTheyAre: Bool { changesNothing && !repairs.isInUse }
    private let changesNothing: Bool
    /// Whether known refusals are mended.
    let mendsRefusals: Bool
    private let repairs: RepairMemory

    package var speaksAnthropic: Bool { if case .anthropic = upstream.kind { true } else { false } }

    /// As the last list of the upstream says, however old.
    fileprivate func listing(of model: String) -> TargetCandidate.Listing {
        guard let catalogue else { return .unknown }
        var list: ListedModels?
        catalogue { list = $0.list }
        guard let list else { return .unknown }
        return list.contains(model) ? .listed : .unlisted
    }

    /// The upstream's name for a model.
    package func name(of requested: String) -> String { model ?? requested }

    /// The model's name in responses; nil to leave the upstream's.
    func publicModel(_ requested: String) -> String? { model == nil ? nil : requested }
}
