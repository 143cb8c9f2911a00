internal import HeadgateHTTP
internal import HeadgateRelay

/// Requests of one operation that went to one model and upstream and ended in the same way.
struct RequestSeries: Sendable {
    let name: RequestTable.Name
    /// Whether its requests only count the tokens of a prompt, so that they use none.
    private let countsTokens: Bool
    private(set) var requests = 0
    /// Requests that made a single attempt at the upstream.
    private(set) var singleAttempts = 0
    /// Sum of the known costs in picodollars, without estimated ones.
    private(set) var cost = 0
    /// Sum of the costs in picodollars that are based on estimated tokens.
    private(set) var estimatedCost = 0
    private(set) var pricedRequests = 0
    private(set) var unpricedRequests = 0
    /// Measurements of the requests that were sent; nil if none was sent.
    private(set) var measures: Measures?

    struct Measures: Sendable {
        var duration = MetricHistogram(.operations)
        var firstToken = MetricHistogram(.firstTokens)
        var furtherTokens = MetricHistogram(.furtherTokens)
        var promptTokens = MetricHistogram(.tokens)
        var completionTokens = MetricHistogram(.tokens)
        /// Token counts that are estimated; nil if there are none.
        var estimates: Estimates?

        mutating func add(
            _ outcome: inout Outcome, isEstimated: Bool, usesTokens: Bool, from source: MetricExemplar.Source?
        ) {
            duration.observe(outcome.endedAt &- outcome.startedAt, from: source)
            guard usesTokens else { return }
            let promptTokens = outcome.promptTokens.flatMap(UInt64.init(exactly:))
            let completionTokens = outcome.completionTokens.flatMap(UInt64.init(exactly:))
            if isEstimated {
                if estimates == nil { estimates = Estimates() }
                if let promptTokens { estimates?.promptTokens.observe(promptTokens, from: source) }
                if let completionTokens { estimates?.completionTokens.observe(completionTokens, from: source) }
            } else {
                if let promptTokens { self.promptTokens.observe(promptTokens, from: source) }
                if let completionTokens { self.completionTokens.observe(completionTokens, from: source) }
            }
            guard outcome.isStream, let first = outcome.firstContentAt else { return }
            firstToken.observe(first &- outcome.startedAt, from: source)
            // A rate based on an estimate would be meaningless.
            guard !isEstimated, let completionTokens, completionTokens > 1, case .finished = outcome.end
            else { return }
            furtherTokens.observe((outcome.endedAt &- first) / (completionTokens - 1), from: source)
        }

        mutating func add(_ other: Measures) {
            duration.add(other.duration)
            firstToken.add(other.firstToken)
            furtherTokens.add(other.furtherTokens)
            promptTokens.add(other.promptTokens)
            completionTokens.add(other.completionTokens)
            guard let estimated = other.estimates else { return }
            if estimates == nil { estimates = estimated } else { estimates?.add(estimated) }
        }
    }

    struct Estimates: Sendable {
        var promptTokens = MetricHistogram(.tokens)
        var completionTokens = MetricHistogram(.tokens)

        mutating func add(_ other: Estimates) {
            promptTokens.add(other.promptTokens)
            completionTokens.add(other.completionTokens)
        }
    }

    init(_ name: RequestTable.Name) {
        self.name = name
        countsTokens = RelayOperation.countsTokens(name.operation)
    }

    /// Counts a request.
    ///
    /// - Parameter source: source of the exemplars; nil if the request's trace is not recorded.
    mutating func add(_ outcome: inout Outcome, from source: MetricExemplar.Source? = nil) {
        requests += 1
        let isEstimated = outcome.notes.isEstimated
        if !outcome.notes.isEmpty, let cost = outcome.notes.cost { add(cost, isEstimated) }
        guard outcome.isSent, !outcome.isExplanation else { return }
        if outcome.attempts.isEmpty { singleAttempts += 1 }
        if measures == nil { measures = Measures() }
        measures?.add(&outcome, isEstimated: isEstimated, usesTokens: !countsTokens, from: source)
    }

    private mutating func add(_ cost: RequestCost, _ isEstimated: Bool) {
        switch cost {
        case .known(let picodollars):
            if isEstimated {
                estimatedCost = estimatedCost.addingCapped(picodollars)
            } else {
                self.cost = self.cost.addingCapped(picodollars)
            }
            pricedRequests += 1
        case .unknown: unpricedRequests += 1
        }
    }

    mutating func add(_ other: RequestSeries) {
        requests += other.requests
        cost = cost.addingCapped(other.cost)
        estimatedCost = estimatedCost.addingCapped(other.estimatedCost)
        pricedRequests += other.pricedRequests
        unpricedRequests += other.unpricedRequests
        singleAttempts += other.singleAttempts
        guard let measured = other.measures else { return }
        if measures == nil { measures = measured } else { measures?.add(measured) }
    }
}

extension Outcome {
    /// Whether an upstream responded, or is to blame for the missing response. A request that cannot be translated has
    /// an upstream, but is never sent to it.
    fileprivate var isSent: Bool {
        guard attempts.isEmpty else { return attempts.contains { $0.result != nil } }
        return upstream != nil && (upstreamStatus != nil || isUpstreamsFault)
    }
}
