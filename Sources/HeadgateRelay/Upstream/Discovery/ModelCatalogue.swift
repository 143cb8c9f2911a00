internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// Models that one upstream lists, and the time of the next query. Pure: the caller passes the time and sends the
/// queries.
package struct ModelCatalogue: Sendable {
    /// Query in flight; results of earlier queries are ignored.
    struct Question: Sendable, Equatable {
        fileprivate let number: Int
    }

    /// Last list received, retained if a later query fails; nil before the first.
    private(set) var list: ListedModels?
    /// Whether any query has ended, successfully or not.
    private(set) var isSettled = false
    private var current: (question: Question, askedAt: Int64)?
    /// Last number given to a query or a waiter.
    private var count = 0
    /// End of the last query, in nanoseconds since 1970. The clock can be set back.
    private var settledAt: Int64 = 0
    private var restFor: Duration = .zero
    /// Callers that wait for the first list, by number.
    private(set) var waiters: [Int: AsyncStream<Never>.Continuation] = [:]

    /// Lifetime of a list.
    static let freshness = Duration.seconds(300)
    /// Delay before the next query if the upstream gave no list.
    static let retryDelay = Duration.seconds(30)
    /// Time after which a query counts as lost; longer than all its deadlines.
    static let longestQuestion = Duration.seconds(120)

    package init() {}

    /// Begins a query if one is due.
    ///
    /// - Returns: the query to send to the upstream; nil while the last result is current or a query is in flight.
    mutating func ask(at now: Int64) -> Question? {
        if let current, !Self.isOver(Self.longestQuestion, since: current.askedAt, now) { return nil }
        guard !isSettled || Self.isOver(restFor, since: settledAt, now) else { return nil }
        // Callers that waited for a lost query have timed out.
        waiters = [:]
        count += 1
        let question = Question(number: count)
        current = (question, now)
        return question
    }

    /// Ends a query and stores its result.
    ///
    /// - Parameter list: nil if the upstream gave none.
    /// - Returns: the callers that wait for this query.
    mutating func settle(
        _ question: Question, _ list: ListedModels?, at now: Int64
    ) -> [AsyncStream<Never>.Continuation] {
        guard current?.question == question else { return [] }
        if let list { self.list = list }
        current = nil
        isSettled = true
        settledAt = now
        restFor = list == nil ? Self.retryDelay : Self.freshness
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    /// Adds a caller that waits for the first list.
    ///
    /// - Returns: the number that ends the wait; nil if there is no first list to wait for.
    mutating func wait(_ waiter: AsyncStream<Never>.Continuation) -> Int? {
        guard !isSettled, current != nil else { return nil }
        count += 1
        waiters[count] = waiter
        return count
    }

    mutating func leave(_ waiter: Int) { waiters[waiter] = nil }

    static func isOver(_ duration: Duration, since start: Int64, _ now: Int64) -> Bool {
        now < start || .nanoseconds(now - start) >= duration
    }
}

/// Access to one upstream's catalogue, shared by all loops and all configurations with an unchanged upstream.
package typealias CatalogueAccess = @Sendable ((inout ModelCatalogue) -> Void) -> Void

/// One list, for lookups by every request. Copying costs no more than copying references.
package struct ListedModels: Sendable {
    /// Unique names, in the order of the list.
    let names: [String]
    private let facts: [ExactText: ModelFacts]

    /// - Parameter models: with unique names.
    package init(_ models: [ListedModel]) {
        names = models.map(\.name)
        facts = Dictionary(models.map { (ExactText($0.name), $0.facts) }) { first, _ in first }
    }

    /// Returns whether the list has the name, compared byte by byte.
    func contains(_ name: String) -> Bool { facts[ExactText(name)] != nil }

    /// Returns the list's facts about a model; nil if the list does not have the name.
    func facts(of name: String) -> ModelFacts? { facts[ExactText(name)] }
}
