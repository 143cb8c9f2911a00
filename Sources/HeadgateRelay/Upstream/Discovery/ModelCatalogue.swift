internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// The models that one upstream lists, and when to ask it again. Pure: time is passed in, and the caller asks.
package struct ModelCatalogue: Sendable {
    /// A question in flight; results of earlier ones are ignored.
    package struct Question: Sendable, Equatable {
        fileprivate let number: Int
    }

    /// The last list; it stays when a later question fails. Nil before the first.
    private(set) var list: ListedModels?
    /// Whether any question has ended, also in failure.
    private(set) var isSettled = false
    private var current: (question: Question, askedAt: Int64)?
    /// Of questions and waiters.
    private var count = 0
    /// Nanoseconds since 1970. A clock may be set back.
    private var settledAt: Int64 = 0
    private var restFor: Duration = .zero
    /// By number.
    private(set) var waiters: [Int: AsyncStream<Never>.Continuation] = [:]

    /// How long a list is good.
    static let freshness = Duration.seconds(300)
    /// Before an upstream is asked again that gave no list.
    static let retryDelay = Duration.seconds(30)
    /// When a question counts as lost: longer than all its deadlines.
    static let longestQuestion = Duration.seconds(120)

    package init() {}

    /// - Returns: a question to put to the upstream; nil while the last answer is good, or another question is under
    ///   way.
    package mutating func ask(at now: Int64) -> Question? {
        if let current, !Self.isOver(Self.longestQuestion, since: current.askedAt, now) { return nil }
        guard !isSettled || Self.isOver(restFor, since: settledAt, now) else { return nil }
        // Those who waited for a lost one have timed out.
        waiters = [:]
        count += 1
        let question = Question(number: count)
        current = (question, now)
        return question
    }

    /// - Parameter list: nil when the upstream gave none.
    /// - Returns: who waits for this.
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

    /// - Returns: the number that ends the wait; nil when there is no first list to wait for.
    package mutating func wait(_ waiter: AsyncStream<Never>.Continuation) -> Int? {
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

/// The catalogue of one upstream, shared by all loops and all configurations in which the upstream is the same.
package typealias CatalogueAccess = @Sendable ((inout ModelCatalogue) -> Void) -> Void

/// The names of one list, which every request may look into. A copy costs no more than a reference.
package struct ListedModels: Sendable {
    /// In the order of the list, each once.
    package let names: [String]
    private let known: Set<ExactText>

    package init(_ names: [String]) {
        self.names = names
        known = Set(names.map(ExactText.init))
    }

    /// Names are compared byte by byte.
    func contains(_ name: String) -> Bool { known.contains(ExactText(name)) }
}
