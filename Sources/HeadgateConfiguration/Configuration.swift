// HeadgateConfiguration turns a YAML file and the environment into checked values. It contains the YAML tree with
// positions, interpolation, decoding, and the values themselves. It does not open sockets, resolve names, read the
// clock, or decide which upstream serves a request.

package import HeadgatePrices

/// A complete, checked and immutable configuration. Lists keep the order of the file.
package struct Configuration: Sendable, Equatable {
    /// Listeners with unique addresses; never empty.
    package var listeners: [ListenerConfiguration]
    package var origins: OriginRules
    /// Number of loop threads; nil means one per core.
    package var loops: Int?
    /// Upstreams. Never empty if the configuration comes from ``load(path:environment:)``,
    /// ``parse(text:file:environment:)-([UInt8],_,_)`` or ``fromEnvironment(_:)``.
    package var upstreams: [UpstreamConfiguration]
    /// Limits of every program group that an upstream names.
    package var programGroups: [ProgramGroupConfiguration]
    /// Models. Every upstream of a target is the name of an element of ``upstreams``.
    package var models: [ModelConfiguration]
    /// Client keys with unique names and digests.
    package var keys: [KeyConfiguration]
    /// Groups. Every `group` of a key is the name of an element.
    package var groups: [GroupConfiguration]
    /// Budget of all requests together.
    package var budget: BudgetConfiguration?
    package var storedResponses: StoredResponses
    /// Settings for responses that the gateway stores itself; nil if it stores none.
    package var responses: ResponseStoreConfiguration?
    package var compaction: CompactionPolicy
    package var limits: LimitsConfiguration
    /// Maximum bytes of all cached responses.
    package var cacheMemory: Int
    /// Folder in which cached responses are also stored; nil if there is none.
    package var cacheFolder: CacheFolderConfiguration?
    /// Server on which several gateways store cached responses; nil if there is none. Excludes ``cacheFolder``.
    package var cacheServer: RedisLocation?
    package var streams: StreamsConfiguration
    package var faultInjection: FaultInjectionConfiguration
    /// Recording of exchanges; nil if they are neither recorded nor replayed.
    package var record: RecordConfiguration?
    package var log: LogConfiguration
    /// Prices of models; nil if there are none.
    package var prices: PriceList?
    package var ledger: LedgerConfiguration
    /// Place of the counters for limits and budgets.
    package var counters: CountersConfiguration
    /// Whether responses have the gateway's own headers, `x-headgate-...`.
    package var hasResponseFields: Bool
    /// Whether requests are counted for `/metrics`.
    package var hasMetrics: Bool
    /// Export of traces; nil if nothing is traced.
    package var tracing: TracingConfiguration?
    /// Alerts; nil if nothing is reported.
    package var alerts: AlertsConfiguration?
    /// Inspection of requests; nil if their content is not stored for `/status`.
    package var inspect: InspectConfiguration?

    package init(
        listeners: [ListenerConfiguration] = [.init(address: .standard)], origins: OriginRules = .init(),
        loops: Int? = nil, upstreams: [UpstreamConfiguration], programGroups: [ProgramGroupConfiguration] = [],
        models: [ModelConfiguration], keys: [KeyConfiguration] = [], groups: [GroupConfiguration] = [],
        budget: BudgetConfiguration? = nil,
        storedResponses: StoredResponses = .own, responses: ResponseStoreConfiguration? = nil,
        compaction: CompactionPolicy = .refuse,
        limits: LimitsConfiguration = .init(), cacheMemory: Int = CacheConfiguration.standardMemory,
        cacheFolder: CacheFolderConfiguration? = nil, cacheServer: RedisLocation? = nil,
        streams: StreamsConfiguration = .init(),
        faultInjection: FaultInjectionConfiguration = .init(), record: RecordConfiguration? = nil,
        log: LogConfiguration = .init(), prices: PriceList? = PriceList(), ledger: LedgerConfiguration = .init(),
        counters: CountersConfiguration = .memory, hasResponseFields: Bool = true, hasMetrics: Bool = false,
        tracing: TracingConfiguration? = nil, alerts: AlertsConfiguration? = nil,
        inspect: InspectConfiguration? = nil
    ) {
        self.listeners = listeners
        self.origins = origins
        self.loops = loops
        self.upstreams = upstreams
        self.programGroups = programGroups
        self.models = models
        self.keys = keys
        self.groups = groups
        self.budget = budget
        self.storedResponses = storedResponses
        self.responses = responses
        self.compaction = compaction
        self.limits = limits
        self.cacheMemory = cacheMemory
        self.cacheFolder = cacheFolder
        self.cacheServer = cacheServer
        self.streams = streams
        self.faultInjection = faultInjection
        self.record = record
        self.log = log
        self.prices = prices
        self.ledger = ledger
        self.counters = counters
        self.hasResponseFields = hasResponseFields
        self.hasMetrics = hasMetrics
        self.tracing = tracing
        self.alerts = alerts
        self.inspect = inspect
    }
}
