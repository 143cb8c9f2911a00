internal import HeadgateConfiguration
internal import HeadgateHTTP

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
        /// The code of what went wrong; empty where nothing did.
        let cause: String
    }

    struct AttemptName: Hashable, Sendable {
        let upstream: ExactText
        /// The code of its failure; `ok` for one with a response.
        let result: String
    }

    /// In place of names, where there would be too many.
    static let other = "other"
    /// Beyond these further ones are counted as ``other``: codes may be an upstream's own.
    private static let maximumSeries = 4096
    private static let maximumAttempts = 1024

    private var indices: [Name: Int] = [:]
    private(set) var series: [RequestSeries] = []
    private(set) var attempts: [AttemptName: Int] = [:]
    private(set) var cache: [String: Int] = [:]
    private(set) var retries = 0
    /// Octets of bodies.
    private(set) var bytesReceived = 0
    private(set) var bytesSent = 0

    package init() {}

    /// - Parameter model: as in ``Name``.
    mutating func add(_ outcome: inout Outcome, model: String) {
        let name = Name(
            operation: outcome.operation, model: ExactText(model), upstream: ExactText(outcome.upstream ?? ""),
            end: outcome.end, cause: outcome.errorCode ?? "")
        let index = index(of: name)
        series[index].add(&outcome)
        bytesReceived += outcome.bytesReceived
        bytesSent += outcome.bytesSent
        if let result = outcome.notes[.cache] { cache[result, default: 0] += 1 }
        if !outcome.attempts.isEmpty { add(outcome.attempts) }
    }

    private mutating func add(_ attempts: [AttemptSummary]) {
        retries += attempts.count - 1
        for attempt in attempts {
            add(1, AttemptName(upstream: ExactText(attempt.upstream), result: attempt.error ?? "ok"))
        }
    }

    private mutating func add(_ count: Int, _ name: AttemptName) {
        let isFull = self.attempts.count >= RequestTable.maximumAttempts && self.attempts[name] == nil
        self.attempts[isFull ? AttemptName(upstream: name.upstream, result: RequestTable.other) : name, default: 0] +=
            count
    }

    private mutating func index(of name: Name) -> Int {
        if let index = indices[name] { return index }
        guard series.count < RequestTable.maximumSeries || name.isOther else { return index(of: name.asOther) }
        indices[name] = series.count
        series.append(RequestSeries(name))
        return series.count - 1
    }

    /// Adds what another loop has counted.
    mutating func add(_ table: RequestTable) {
        for each in table.series {
            let index = index(of: each.name)
            series[index].add(each)
        }
        for (name, count) in table.attempts { add(count, name) }
        cache.merge(table.cache, uniquingKeysWith: +)
        retries += table.retries
        bytesReceived += table.bytesReceived
        bytesSent += table.bytesSent
    }
}

extension RequestTable.Name {
    fileprivate var isOther: Bool { self == asOther }

    fileprivate var asOther: Self {
        let other = RequestTable.other
        return Self(operation: operation, model: ExactText(other), upstream: ExactText(other), end: end, cause: other)
    }
}
