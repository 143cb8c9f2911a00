/// Decodes the node tree into a ``Configuration``. It continues after each issue, so that one run reports all of them.
struct ConfigurationDecoder {
    let environment: [String: String]
    let surroundings: Surroundings
    var issues: IssueList
    /// Warnings about valid settings.
    var warnings: IssueList
    /// Origins of all values; nil if they are not needed.
    var settings: SettingList?
    /// Remaining bytes that interpolation can produce in all scalars together. A limit is needed because a short text
    /// can name a long variable many times.
    var interpolationBudget = ConfigurationFile.maximumBytes
    /// Variables that contain secrets, or paths of files with secrets.
    var secretVariables: Set<String> = []
    var budgets = BudgetPlaces()
    /// Names of the providers that fill in upstreams, by the positions of their `kind`.
    var presets: [SourcePosition: String] = [:]
    /// Whether the listen addresses are known, which commands without access to secrets need.
    private var hasListeners = false

    /// Returns whether a value is left out instead of reported if its variables or its secret are unavailable.
    func leavesOut(_ source: String, isSecret: Bool) -> Bool {
        guard !surroundings.hasSecrets else { return false }
        return isSecret || hasListeners && source.utf8.contains(UInt8(ascii: "$"))
    }

    init(
        environment: [String: String], issues: IssueList, settings: SettingList? = nil,
        surroundings: Surroundings = .unknown
    ) {
        self.environment = environment
        self.surroundings = surroundings
        self.issues = issues
        warnings = IssueList(file: issues.file, severity: .warning)
        self.settings = settings
    }

    mutating func configuration(from root: YAMLNode) throws(ConfigurationError) -> Configuration {
        let fields =
            root.isNull
            ? Fields(.file, at: .root) : fields(of: root, as: .file, at: .root, in: "the file")
        guard let fields else { throw ConfigurationError(issues: issues.sorted) }
        let configuration = configuration(from: fields)
        guard issues.isEmpty else { throw ConfigurationError(issues: issues.sorted) }
        return configuration
    }

    /// Decodes the configuration. The result is complete only if there are no issues.
    private mutating func configuration(from fields: Fields) -> Configuration {
        let listeners = listeners(in: fields)
        hasListeners = true
        let origins = origins(in: fields)
        let loops = wholeNumber("loops", of: fields, in: 1...1024)
        var upstreams = upstreams(in: fields)
        let programGroups = programGroups(in: fields, of: upstreams.decoded)
        let models = models(in: fields, upstreams: upstreams)
        warnUnused(upstreams, by: models)
        warnUnlisted(upstreams, by: models)
        let known = issues.count
        let groups = groups(in: fields)
        let groupsAreKnown = fields["groups"] != nil || fields.lacks("groups")
        let keys = keys(in: fields, groups: groupsAreKnown ? groups.map(\.name) : nil)
        warnClosed(keys, upstreams, at: fields["keys"]?.keyPosition)
        let budget = budget(of: fields)
        let namesAreKnown = issues.count == known && (fields["keys"] != nil || fields.lacks("keys"))
        let storedResponses = choice("stored_responses", of: fields, as: StoredResponses.self)
        let responses = responses(in: fields)
        let compaction = choice("compaction", of: fields, as: CompactionPolicy.self)
        let limits = limits(in: fields)
        let counters = counters(in: fields)
        let cache = cache(in: fields, counters: counters)
        let streams = streams(in: fields)
        let faults = faultInjection(
            in: fields, upstreams: upstreams.names, keys: namesAreKnown ? keys.map(\.name) : nil)
        let record = record(in: fields)
        let log = log(in: fields)
        if log.hasUpstreamErrors {
            for index in upstreams.decoded.indices { upstreams.decoded[index].logsErrors = true }
        }
        let prices = prices(in: fields)
        let ledger = ledger(in: fields)
        checkBudgets(models, upstreams.decoded, prices, ledger, in: fields)
        let hasResponseFields = flag("response_fields", of: fields)
        let hasMetrics = flag("metrics", of: fields) ?? false
        check(listeners, haveMetrics: hasMetrics, in: fields)
        let tracing = tracing(in: fields)
        let alerts = alerts(in: fields)
        let inspect = inspect(in: fields)
        return Configuration(
            listeners: listeners, origins: origins, loops: loops, upstreams: upstreams.decoded,
            programGroups: programGroups, models: models,
            keys: keys, groups: groups, budget: budget, storedResponses: storedResponses ?? .own, responses: responses,
            compaction: compaction ?? .refuse, limits: limits,
            cacheMemory: cache.memory, cacheFolder: cache.folder, cacheServer: cache.server, streams: streams,
            faultInjection: faults, record: record, log: log, prices: prices, ledger: ledger, counters: counters,
            hasResponseFields: hasResponseFields ?? true, hasMetrics: hasMetrics, tracing: tracing, alerts: alerts,
            inspect: inspect)
    }
}
