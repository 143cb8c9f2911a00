internal import HeadgateHTTP

/// The attempts at a request that are under way at a time: one, and later perhaps another. Loop-confined.
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

    /// Those under way, the first first.
    private(set) var entrants: [Entrant] = []
    /// What brings the second one.
    private var next: (any Cancellable)?
    /// Whether there was a second one.
    private(set) var isHedged = false

    var isOver: Bool { entrants.isEmpty }

    /// - Parameter start: returns what cancels the attempt; nil when it is over already.
    func enter(_ entrant: Entrant, _ start: () -> (any Cancellable)?) {
        entrants.append(entrant)
        isHedged = isHedged || entrant.isSecond
        let call = start()
        if entrants.contains(where: { $0 === entrant }) { entrant.call = call }
    }

    /// Waits for what brings a second one, as long as this one is under way.
    func expect(_ begin: () -> (any Cancellable)?) { if !isOver { next = begin() } }

    /// - Returns: whether it was still under way.
    func leave(_ entrant: Entrant) -> Bool {
        guard let index = entrants.firstIndex(where: { $0 === entrant }) else { return false }
        entrants.remove(at: index)
        entrant.call = nil
        if isOver { expectNothing() }
        return true
    }

    /// Cancels those under way, which are not heard of any more.
    ///
    /// - Returns: them.
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

    /// Each one ends with an error.
    func cancel() {
        expectNothing()
        for entrant in entrants { entrant.call?.cancel() }
    }

    private func expectNothing() {
        next?.cancel()
        next = nil
    }
}

/// The metadata of one of two attempts at a request at a time: its record is its own, until one of them is relayed.
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
