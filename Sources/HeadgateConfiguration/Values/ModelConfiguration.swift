package import HeadgatePrices
internal import HeadgatePrimitives

/// Targets and settings of a public model name, or of all names that match a pattern.
package struct ModelConfiguration: Sendable, Hashable {
    /// An exact name, or a pattern: a prefix followed by `*`, or `*` alone. Unique.
    package var name: String
    /// At least one and at most 16, in the order of the file; no two are the same model of the same upstream.
    package var targets: [TargetConfiguration]
    package var choice: TargetChoice
    package var affinity: Affinity
    package var retry: RetryConfiguration
    /// How long a request may take with all its attempts, from 1 ms to 24 h; nil without a limit.
    package var total: Duration?
    /// Caching of responses; nil if there is none.
    package var cache: CacheConfiguration?
    /// Hedging of attempts; nil if there is none.
    package var hedge: HedgeConfiguration?
    package var onDisconnect: OnDisconnect
    /// Limits of all its requests; nil without limits.
    package var limits: UsageLimits?
    /// Most tokens of one completion, from 1 to 100,000,000; nil if not configured.
    package var maximumOutput: Int?
    /// Instructions that are added to its requests; nil if not configured.
    package var instructions: InstructionRules?
    /// Description in lists of models; nil if not configured.
    package var description: String?
    /// Service tiers that its requests may select.
    package var tiers = ServiceTiers.all

    package init(
        name: String, targets: [TargetConfiguration], choice: TargetChoice = .first, affinity: Affinity = .none,
        retry: RetryConfiguration = .init(), total: Duration? = nil, cache: CacheConfiguration? = nil,
        hedge: HedgeConfiguration? = nil, onDisconnect: OnDisconnect = .cancel,
        limits: UsageLimits? = nil, maximumOutput: Int? = nil
    ) {
        self.name = name
        self.targets = targets
        self.choice = choice
        self.affinity = affinity
        self.retry = retry
        self.total = total
        self.cache = cache
        self.hedge = hedge
        self.onDisconnect = onDisconnect
        self.limits = limits
        self.maximumOutput = maximumOutput
    }

    /// A model with one target.
    package init(
        name: String, upstream: String, model: String? = nil, timeouts: UpstreamTimeouts = .init(),
        parameters: ParameterRules = .init()
    ) {
        let target = TargetConfiguration(
            upstream: upstream, model: model, timeouts: timeouts, parameters: parameters)
        self.init(name: name, targets: [target])
    }

    /// Whether ``name`` is a pattern.
    package var isPattern: Bool { name.utf8.last == UInt8(ascii: "*") }

    /// Whether one of the targets is at the upstream of this name.
    package func leads(to upstream: String) -> Bool { targets.contains { $0.upstream.isExactly(upstream) } }

    /// Whether the upstream of this name is sent names that the configuration does not hold.
    package func passesNames(to upstream: String) -> Bool {
        isPattern && targets.contains { $0.model == nil && $0.upstream.isExactly(upstream) }
    }
}

/// Instructions that a model's requests get, whatever API the client speaks.
package struct InstructionRules: Sendable, Hashable {
    /// Text before the client's own instructions.
    package var prepended: String?
    /// Text after the client's own instructions.
    package var appended: String?
    /// Text for requests without instructions.
    package var standard: String?

    package init(prepended: String? = nil, appended: String? = nil, standard: String? = nil) {
        self.prepended = prepended
        self.appended = appended
        self.standard = standard
    }
}
