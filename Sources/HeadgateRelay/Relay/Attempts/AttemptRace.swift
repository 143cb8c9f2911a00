internal import HeadgateHTTP

/// Race of the concurrent attempts at a request: one at first, and possibly a second one later. Loop-confined.
final class AttemptRace: Cancellable {
    final class Entrant {
        let attempt: AttemptActivity
        let isSecond: Bool
        let metadata: AttemptMetadata
        fileprivate var call: (any Cancellable)?

        init(_ attempt: AttemptActivity, isSecond: Bool, of request: ServerRequestMetadata) {
            self.attempt = attempt
            self.isSecond = isSecond
            metadata = AttemptMetadata(of: request)
        }

        var record: RequestRecord { metadata.record }
    }

    /// Attempts under way, in the order in which they began.
    private(set) var entrants: [Entrant] = []
    /// Wait or check that precedes the second attempt.
    private var next: (any Cancellable)?
    /// Whether a second attempt began.
    private(set) var isHedged = false

    var isOver: Bool { entrants.isEmpty }

    /// Adds an attempt to the race and starts it.
    ///
    /// - Parameter start: returns a handle that cancels the attempt; nil if it is already over.
    func enter(_ entrant: Entrant, _ start: () -> (any Cancellable)?) {
        entrants.append(entrant)
        isHedged = isHedged || entrant.isSecond
        let call = start()
        if entrants.contains(where: { $0 === entrant }) { entrant.call = call }
    }

    /// Begins the wait or check that precedes a second attempt, if an attempt is under way.
    func expect(_ begin: () -> (any Cancellable)?) { if !isOver { next = begin() } }

    /// Removes an attempt that has ended.
    ///
    /// - Returns: whether it was still in the race.
    func leave(_ entrant: Entrant) -> Bool {
        guard let index = entrants.firstIndex(where: { $0 === entrant }) else { return false }
        entrants.remove(at: index)
        entrant.call = nil
        if isOver { expectNothing() }
        return true
    }

    /// Cancels the attempts under way and removes them from the race.
    ///
    /// - Returns: the cancelled attempts.
    func end() -> [Entrant] {
        let losers = entrants
        entrants = []
        expectNothing()
        for loser in losers {
            loser.call?.cancel()
            loser.call = nil
        }
        return losers
    }

    /// Cancels the attempts under way, each of which ends with an error.
    func cancel() {
        expectNothing()
        for entrant in entrants { entrant.call?.cancel() }
    }

    private func expectNothing() {
        next?.cancel()
        next = nil
    }
}

/// Metadata of one of two concurrent attempts at a request. Its record is separate until one of them is relayed.
final class AttemptMetadata: ServerRequestMetadata {
    private let request: ServerRequestMetadata

    init(of request: ServerRequestMetadata) {
        self.request = request
        super.init(
            connection: request.connection, bodyLength: request.bodyLength,
            context: RequestRecord(beside: request.record))
    }

    override func run(_ operation: @escaping () async -> Void) { request.run(operation) }

    override func after(_ delay: Duration, _ action: @escaping () -> Void) -> (any Cancellable)? {
        request.after(delay, action)
    }

    override func waker(_ action: @escaping () -> Void) -> @Sendable () -> Void { request.waker(action) }

    override func receiver<Value: Sendable>(_ action: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        request.receiver(action)
    }

    override func aside<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, completion: @escaping (Value?) -> Void
    ) -> (any Cancellable)? {
        request.aside(work, completion: completion)
    }
}
