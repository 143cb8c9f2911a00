/// What a reader of another gateway's stream does with the answers of the store; pure. Instants are monotonic
/// nanoseconds.
struct ReplicatedStreamReading: Equatable {
    enum Next: Equatable {
        case ask(after: Duration)
        case end(DetachedStream.End)
        /// The next events are not kept any more; this is the first that is.
        case dropped(first: Int)
        /// The gateway that read the upstream is gone.
        case lost
        /// The store does not answer.
        case outOfReach
    }

    /// The last event that the reader was given.
    private(set) var position: Int
    private var answeredAt: UInt64
    private var pause = shortest

    /// Between questions, while nothing comes.
    static let shortest = Duration.milliseconds(50)
    static let longest = Duration.milliseconds(200)
    /// For a store that does not answer.
    private static let retry = Duration.milliseconds(500)
    /// How long it is asked again.
    private static let patience: UInt64 = 15_000_000_000

    /// - Parameter position: the last event that the reader has.
    init(after position: Int, at now: UInt64) {
        self.position = position
        answeredAt = now
    }

    /// - Parameter answer: to a question for events after ``position``; nil for none. Its events are the reader's.
    mutating func take(_ answer: StreamAnswer?, at now: UInt64) -> Next {
        // A store that was started anew is told of the stream by its gateway.
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
            // The store has lost them, and would for ever give none.
            return answer.isComplete == nil && answer.lives ? .dropped(first: answer.last + 1) : .lost
        }
        if let isComplete = answer.isComplete { return .end(isComplete ? .complete : .broken) }
        if !answer.lives { return .lost }
        defer { pause = min(pause * 2, ReplicatedStreamReading.longest) }
        return .ask(after: pause)
    }

    /// The store has answered to who reads nothing at the moment.
    mutating func noteAnswer(at now: UInt64) { answeredAt = now }
}
