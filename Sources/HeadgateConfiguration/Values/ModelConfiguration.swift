package import HeadgatePrices
internal import HeadgatePrimitives

/// Targets and settings of a public model name, or of all names that match a pattern.
package struct ModelConfiguration: Sendable, Hashable {
    /// Exact name, or a pattern: a prefix followed by `*`, or `*` alone. Unique.
    package var name: String
    /// Targets, from 1 to 16, in the order of the file. No two are the same model of the same upstream.
    package var targets: [TargetConfiguration]
    package var choice: TargetChoice
    package var affinity: Affinity
    package var retry: RetryConfiguration
    /// Total deadline of a request with all its attempts, from 1 ms to 24 h; nil without a limit.
    package var total: Duration?
    /// Caching of responses; nil if there is none.
    package var cache: CacheConfiguration?
    /// Hedging of attempts; nil if there is none.
    package var hedge: HedgeConfiguration?
    package var onDisconnect: OnDisconnect
    /// Limits of all requests for the model; nil without limits.
    package var limits: UsageLimits?
    /// Maximum tokens of one completion, from 1 to 100,000,000; nil if not configured.
    package var maximumOutput: Int?
    /// Instructions that are added to requests for the model; nil if not configured.
    package var instructions: InstructionRules?
    /// Description in lists of models; nil if not configured.
    package var description: String?
    /// Service tiers that requests for the model can select.
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

    /// Creates a model with one target.
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

    /// Returns whether one of the targets is at an upstream.
    package func leads(to upstream: String) -> Bool { targets.contains { $0.upstream.isExactly(upstream) } }

    /// Returns whether an upstream receives names that the configuration does not contain.
    package func passesNames(to upstream: String) -> Bool {
        isPattern && targets.contains { $0.model == nil && $0.upstream.isExactly(upstream) }
    }
}

/// Instructions that are added to a model's requests, whatever API the client speaks.
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
