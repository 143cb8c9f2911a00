internal import HeadgateRelay

/// State of a reader of another gateway's stream, which decides the next step after each answer of the store. Pure;
/// instants are monotonic nanoseconds.
struct ReplicatedStreamReading: Equatable {
    enum Next: Equatable {
        case ask(after: Duration)
        case end(DetachedStream.End)
        /// The next events were dropped; `first` is the first one left.
        case dropped(first: Int)
        /// The gateway that read the upstream has stopped.
        case lost
        /// The store does not answer.
        case outOfReach
    }

    /// Last event that the reader was given.
    private(set) var position: Int
    private var answeredAt: UInt64
    private var pause = shortest

    /// Shortest pause between queries while no events arrive.
    static let shortest = Duration.milliseconds(50)
    static let longest = Duration.milliseconds(200)
    /// Pause after a query without a usable answer.
    private static let retry = Duration.milliseconds(500)
    /// Nanoseconds without a usable answer after which the reader gives up.
    private static let patience: UInt64 = 15_000_000_000

    /// - Parameter position: the last event that the reader has.
    init(after position: Int, at now: UInt64) {
        self.position = position
        answeredAt = now
    }

    /// - Parameter answer: the store's answer about events after ``position``, which the reader gets; nil if there was
    ///   none.
    mutating func take(_ answer: StreamAnswer?, at now: UInt64) -> Next {
        // Wait, because the stream's gateway opens the stream again in a store that was restarted.
        guard let answer, answer.isKnown else {
            guard now &- answeredAt < ReplicatedStreamReading.patience else {
                return answer == nil ? .outOfReach : .lost
            }
            return .ask(after: ReplicatedStreamReading.retry)
        }
        answeredAt = now
        guard position >= answer.dropped else { return .dropped(first: answer.dropped + 1) }
        position += answer.events.count
        if !answer.events.isEmpty { pause = ReplicatedStreamReading.shortest }
        if position < answer.last {
            if !answer.events.isEmpty { return .ask(after: .zero) }
            // The store has lost these events and would never return any.
            return answer.isComplete == nil && answer.lives ? .dropped(first: answer.last + 1) : .lost
        }
        if let isComplete = answer.isComplete { return .end(isComplete ? .complete : .broken) }
        if !answer.lives { return .lost }
        defer { pause = min(pause * 2, ReplicatedStreamReading.longest) }
        return .ask(after: pause)
    }

    /// Notes an answer of the store to a reader that is not reading at the moment.
    mutating func noteAnswer(at now: UInt64) { answeredAt = now }
}
