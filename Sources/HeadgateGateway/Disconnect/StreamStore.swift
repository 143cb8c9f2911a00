/// Where several gateways keep streams that go on without their clients, so that a client may come back at another
/// gateway than the one that reads its upstream. On a loop; nothing is ever waited for.
///
/// Every completion is called once, on the loop, perhaps before the call returns; with nil where the store has not
/// answered in time: then it is not known what was done. What is written may be written again.
package protocol StreamStore: Sendable {
    /// Writes what has come since, and says that the gateway which reads the upstream lives.
    func write(_ share: StreamShare, of name: StreamName, completion: @escaping (StreamShare.Result?) -> Void)

    /// Reads on, which counts as being there: for the time after the last reader, and for what may be dropped.
    func read(_ question: StreamQuestion, of name: StreamName, completion: @escaping (StreamAnswer?) -> Void)

    /// Makes a stream unknown to clients, and asks its gateway to end it. Who reads it has its end.
    ///
    /// - Parameter completion: told whether there was such a stream.
    func stop(_ name: StreamName, completion: @escaping (Bool?) -> Void)

    /// Gives back the room of a stream that has ended, unless another one has its name by now.
    func forget(_ name: StreamName, by writer: String)

    /// Parts of streams that were not taken, since the start.
    var refused: Int { get }
}

/// What a stream is called in a store: a digest of the owner and of the request's id, which reveals neither.
package struct StreamName: Hashable, Sendable {
    /// 64 hexadecimal digits.
    package let text: String

    init(_ key: DetachedStreams.Key) { text = KeyDigest(of: key.owner.bytes + Array(key.id.utf8)).hexadecimal }
}

/// What clients that come back are told before any event.
package struct ReplicatedStreamOpening: Sendable, Equatable {
    /// One line for each.
    package let fields: [UInt8]
    package let dialect: UInt8
    package let model: String?

    package init(fields: [UInt8], dialect: UInt8, model: String?) {
        self.fields = fields
        self.dialect = dialect
        self.model = model
    }
}

/// A part of a stream that the store has not had.
package struct StreamShare: Sendable {
    package enum Result: Sendable, Equatable {
        case written(StreamReaders)
        /// The store has forgotten the stream, or has not heard of it: it is to be told of its opening again.
        case unknown
        /// Another stream that goes on has this name: this one is not shared.
        case taken
    }

    /// Of who writes the stream: 16 hexadecimal digits.
    package let writer: String
    /// Nil once the store has been told.
    package let opening: ReplicatedStreamOpening?
    /// The number of the event before the first one here. What is between that and what the store has is not kept.
    package let after: Int
    package let events: [[UInt8]]
    /// How many events the writer does not keep any more.
    package let dropped: Int
    /// Whether the stream is complete; nil while it goes on.
    package let isComplete: Bool?
    /// How long it is kept without anybody who reads it.
    package let ttl: Duration

    package init(
        writer: String, opening: ReplicatedStreamOpening?, after: Int, events: [[UInt8]], dropped: Int,
        isComplete: Bool?,
        ttl: Duration
    ) {
        self.writer = writer
        self.opening = opening
        self.after = after
        self.events = events
        self.dropped = dropped
        self.isComplete = isComplete
        self.ttl = ttl
    }

    /// Octets of events in one share, but for the last event.
    package static let most = 64 << 10
    /// Octets of an event that is shared.
    package static let longestEvent = 1 << 20
}

/// Who reads a stream at other gateways.
package struct StreamReaders: Sendable, Equatable {
    /// The last event that the one which is furthest has had; nil while nobody is there.
    package let had: Int?
    /// Whether somebody has stopped the stream.
    package let isStopped: Bool

    package init(had: Int?, isStopped: Bool) {
        self.had = had
        self.isStopped = isStopped
    }
}

package struct StreamQuestion: Sendable {
    /// The last event that the reader has.
    package let after: Int
    /// Events are given until there are so many; 0 for none.
    package let octets: Int
    /// Whether the reader has just come: it is told of the opening, and not of a stream that was stopped.
    package let joins: Bool

    package init(after: Int, octets: Int, joins: Bool) {
        self.after = after
        self.octets = octets
        self.joins = joins
    }
}

package struct StreamAnswer: Sendable, Equatable {
    /// Nil where the question does not ask for it, or where there is no such stream.
    package var opening: ReplicatedStreamOpening?
    /// Whether there is such a stream.
    package var isKnown = true
    package var last = 0
    /// How many events are not kept any more.
    package var dropped = 0
    /// Whether the stream is complete; nil while it goes on.
    package var isComplete: Bool?
    /// Whether its gateway was heard of lately.
    package var lives = true
    /// Those after the one that was named, without a gap.
    package var events: [[UInt8]] = []

    package init() {}

    package static var unknown: StreamAnswer {
        var answer = StreamAnswer()
        answer.isKnown = false
        return answer
    }
}
