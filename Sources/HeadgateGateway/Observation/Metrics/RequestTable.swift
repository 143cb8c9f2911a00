internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Request counts of one loop. Loops share none of them, so counting never waits.
package struct RequestTable: Sendable {
    /// Labels of a series of requests. Each value is from the configuration or a fixed list.
    struct Name: Hashable, Sendable {
        let operation: String
        /// Name or pattern as configured; ``RequestTable/other`` if the model is not configured, empty if none was
        /// requested.
        let model: ExactText
        /// Name of the upstream; empty if the request was not sent to one.
        let upstream: ExactText
        let end: RequestEnd
        /// Label of the error; empty without one.
        let cause: String
    }

    struct AttemptName: Hashable, Sendable {
        let upstream: ExactText
        /// Label of the failure, `ok` for an attempt with a response, or `client_gone` if the client disconnected
        /// before there was a response.
        let result: String
    }

    /// Identity of the configuration whose names and patterns label the models.
    final class Labels: Sendable {}

    /// Replacement for unknown names, and for names beyond the maximum.
    static let other = "other"
    /// Series beyond this number are counted as ``other``, because reloads bring new names.
    private let maximumSeries: Int
    private let maximumAttempts: Int
    private var indices: [Name: Int] = [:]
    /// Index of the previous request's series. Most requests match it, and comparing is cheaper than hashing.
    private var latest = 0
    /// Configuration that labelled the previous request's model; nil if its label is of no use to others.
    private var latestLabels: Labels?
    private var latestModel = ""
    /// Name of the previous request, with its own texts: those of the next request are usually the same in memory.
    private var latestName = Name(
        operation: "", model: ExactText(""), upstream: ExactText(""), end: .finished, cause: "")
    private(set) var series: [RequestSeries] = []
    private(set) var attempts: [AttemptName: Int] = [:]
    private(set) var cache: [String: Int] = [:]
    /// Refusals by the limit that was used up.
    private(set) var limits: [String: Int] = [:]
    private(set) var retries = 0
    /// Bytes of request bodies.
    private(set) var bytesReceived = 0
    private(set) var bytesSent = 0

    /// - Parameter loops: number of loops, each of which counts in its own table.
    package init(loops: Int) {
        maximumSeries = 4096 / loops
        maximumAttempts = 1024 / loops
    }

    /// Returns whether a request has the names of the previous one, so that it needs no label.
    func isLikeLatest(_ outcome: inout Outcome, by labels: Labels) -> Bool {
        guard latestLabels === labels else { return false }
        if isIdenticalToLatest(&outcome) { return true }
        guard let model = outcome.model else { return false }
        return latestModel.isExactly(model) && latestName.fits(&outcome)
    }

    /// Returns whether both requests finished without an error, and their names are the same in memory. Reads no text,
    /// so none is retained.
    @inline(__always)
    private func isIdenticalToLatest(_ outcome: inout Outcome) -> Bool {
        guard case .finished = outcome.end, case .finished = latestName.end, outcome.errorCode == nil,
            outcome.notes[.errorLabel] == nil, latestName.cause.isEmpty, outcome.model != nil
        else { return false }
        return latestModel._isIdentical(to: outcome.model ?? "")
            && latestName.operation._isIdentical(to: outcome.operation)
            && latestName.upstream.text._isIdentical(to: outcome.upstream ?? "")
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - model: model as in ``Name``; nil for a request that is like the previous one.
    ///   - labels: configuration that labels the model.
    ///   - source: source of the exemplars; nil if the request's trace is not recorded.
    mutating func add(
        _ outcome: inout Outcome, model: String?, by labels: Labels, from source: MetricExemplar.Source? = nil
    ) {
        if let model {
            let name = Name(
                operation: outcome.operation, model: ExactText(model), upstream: ExactText(outcome.upstream ?? ""),
                end: outcome.end, cause: outcome.errorLabel ?? "")
            latest = index(of: name, isFull: series.count >= maximumSeries)
            latestLabels = outcome.model != nil && series[latest].name == name ? labels : nil
            latestModel = outcome.model ?? ""
            latestName = name
        }
        series[latest].add(&outcome, from: source)
        bytesReceived += outcome.bytesReceived
        bytesSent += outcome.bytesSent
        if outcome.notes.hasTexts {
            if let result = outcome.notes[.cache] { cache[result, default: 0] += 1 }
            if let limit = outcome.notes[.limit] { limits[limit, default: 0] += 1 }
        }
        if !outcome.attempts.isEmpty { return add(outcome.attempts) }
        guard case .clientGone = outcome.end, outcome.upstreamStatus == nil, !outcome.isExplanation,
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

    /// Adds the counts of another loop under their own names, without a maximum: an exposed counter must not disappear.
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
    /// Returns whether a request has the same name but for the model.
    @inline(__always)
    fileprivate func fits(_ outcome: inout Outcome) -> Bool {
        end == outcome.end && operation.isExactly(outcome.operation) && upstream.text.isExactly(outcome.upstream ?? "")
            && cause.isExactly(outcome.errorLabel ?? "")
    }

    fileprivate var asOther: Self {
        let other = RequestTable.other
        return Self(
            operation: operation, model: ExactText(other), upstream: upstream, end: end,
            cause: cause.isEmpty ? "" : other)
    }
}
