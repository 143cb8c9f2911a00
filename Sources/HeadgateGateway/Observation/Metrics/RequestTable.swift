internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// What one loop has counted of its requests. Nothing here is shared, so that counting waits for nobody.
package struct RequestTable: Sendable {
    /// What requests are told apart by. Each is from the configuration or a fixed list.
    struct Name: Hashable, Sendable {
        let operation: String
        /// As configured: a name or a pattern; ``RequestTable/other`` for one that is not configured, empty where none
        /// was asked for.
        let model: ExactText
        /// Empty where the request was sent nowhere.
        let upstream: ExactText
        let end: RequestEnd
        /// What went wrong; empty where nothing did.
        let cause: String
    }

    struct AttemptName: Hashable, Sendable {
        let upstream: ExactText
        /// What its failure is called, `ok` for one with a response, or `client_gone` for one whose client had left
        /// before there was any.
        let result: String
    }

    /// In place of names, where there would be too many.
    static let other = "other"
    /// Beyond these further ones are counted as ``other``: reloads bring new names.
    private let maximumSeries: Int
    private let maximumAttempts: Int
    private var indices: [Name: Int] = [:]
    /// Of the request before. Most are like it, and to compare is cheaper than to hash.
    private var latest = 0
    private(set) var series: [RequestSeries] = []
    private(set) var attempts: [AttemptName: Int] = [:]
    private(set) var cache: [String: Int] = [:]
    /// Refusals by what was used up.
    private(set) var limits: [String: Int] = [:]
    private(set) var retries = 0
    /// Octets of bodies.
    private(set) var bytesReceived = 0
    private(set) var bytesSent = 0

    /// - Parameter loops: that count, each in a table of its own.
    package init(loops: Int) {
        maximumSeries = 4096 / loops
        maximumAttempts = 1024 / loops
    }

    /// - Parameters:
    ///   - model: as in ``Name``.
    ///   - source: of what is measured; nil where the request's trace is not recorded.
    mutating func add(_ outcome: inout Outcome, model: String, from source: MetricExemplar.Source? = nil) {
        let name = Name(
            operation: outcome.operation, model: ExactText(model), upstream: ExactText(outcome.upstream ?? ""),
            end: outcome.end, cause: outcome.errorLabel ?? "")
        let index = index(of: name, isFull: series.count >= maximumSeries)
        series[index].add(&outcome, from: source)
        bytesReceived += outcome.bytesReceived
        bytesSent += outcome.bytesSent
        if !outcome.notes.isEmpty {
            if let result = outcome.notes[.cache] { cache[result, default: 0] += 1 }
            if let limit = outcome.notes[.limit] { limits[limit, default: 0] += 1 }
        }
        if !outcome.attempts.isEmpty { return add(outcome.attempts) }
        guard outcome.end == .clientGone, outcome.upstreamStatus == nil, !outcome.isExplanation,
            let upstream = outcome.upstream
        else { return }
        add(AttemptName(upstream: ExactText(upstream), result: RequestEnd.clientGone.rawValue))
    }

    private mutating func add(_ attempts: [AttemptSummary]) {
        let sent = attempts.compactMap { attempt in
            attempt.result.map { AttemptName(upstream: ExactText(attempt.upstream), result: $0) }
        }
        retries += max(0, sent.count - 1)
        for name in sent { add(name) }
    }

    private mutating func add(_ name: AttemptName) {
        let isKnown = attempts[name] != nil || attempts.count < maximumAttempts
        attempts[isKnown ? name : AttemptName(upstream: name.upstream, result: RequestTable.other), default: 0] += 1
    }

    private mutating func index(of name: Name, isFull: Bool = false) -> Int {
        if latest < series.count, series[latest].name == name { return latest }
        if indices[name] == nil, isFull { return index(of: name.asOther) }
        latest = indices[name] ?? series.count
        guard latest == series.count else { return latest }
        indices[name] = latest
        series.append(RequestSeries(name))
        return latest
    }

    /// Adds what another loop has counted, all of it under its names: a counter that was seen must not go away.
    mutating func add(_ table: RequestTable) {
        for each in table.series {
            let index = index(of: each.name)
            series[index].add(each)
        }
        attempts.merge(table.attempts, uniquingKeysWith: +)
        cache.merge(table.cache, uniquingKeysWith: +)
        limits.merge(table.limits, uniquingKeysWith: +)
        retries += table.retries
        bytesReceived += table.bytesReceived
        bytesSent += table.bytesSent
    }
}

extension RequestTable.Name {
    fileprivate var asOther: Self {
        let other = RequestTable.other
        return Self(
            operation: operation, model: ExactText(other), upstream: upstream, end: end,
            cause: cause.isEmpty ? "" : other)
    }
}
