internal import HeadgateRelay

/// Store in which several gateways share detached streams, so that a client can resume at another gateway than the
/// one that reads its upstream. Called on a loop; no call blocks.
///
/// Every completion is called once, on the loop, possibly before the call returns. It gets nil if the store has not
/// answered in time; the write might still have happened. A write can be repeated.
package protocol StreamStore: Sendable {
    /// Writes new events, and signals that the gateway which reads the upstream is alive.
    func write(_ share: StreamShare, of name: StreamName, completion: @escaping (StreamShare.Result?) -> Void)

    /// Reads the next events. The call counts as the presence of a reader, for the expiry and for which events can be
    /// dropped.
    func read(_ question: StreamQuestion, of name: StreamName, completion: @escaping (StreamAnswer?) -> Void)

    /// Makes a stream unknown to clients, and requests that its gateway end it. Current readers still get its end.
    ///
    /// - Parameter completion: receives whether there was such a stream.
    func stop(_ name: StreamName, completion: @escaping (Bool?) -> Void)

    /// Frees the space of a stream that has ended, unless another stream has its name by now.
    func forget(_ name: StreamName, by writer: String)

    /// Number of shares that the store did not accept, since the start.
    var refused: Int { get }
}

/// Name of a stream in a store: a digest of the owner and of the request's id, which reveals neither.
package struct StreamName: Hashable, Sendable {
    /// 64 hexadecimal digits.
    package let text: String

    init(_ key: DetachedStreams.Key) { text = KeyDigest(of: key.owner.bytes + Array(key.id.utf8)).hexadecimal }
}

/// Facts that returning clients need before any event.
package struct ReplicatedStreamOpening: Sendable, Equatable {
    /// Header fields, one line for each.
    package let fields: [UInt8]
    package let dialect: UInt8
    package let model: String?

    package init(fields: [UInt8], dialect: UInt8, model: String?) {
        self.fields = fields
        self.dialect = dialect
        self.model = model
    }
}

/// Part of a stream that the store does not have yet.
package struct StreamShare: Sendable {
    package enum Result: Sendable, Equatable {
        case written(StreamReaders)
        /// The store has forgotten the stream, or never knew it: send its opening again.
        case unknown
        /// Another stream that continues has this name: this one is not shared.
        case taken
    }

    /// Id of the stream's writer: 16 hexadecimal digits.
    package let writer: String
    /// Opening of the stream; nil once the store has it.
    package let opening: ReplicatedStreamOpening?
    /// Number of the event before the first one of the share. Events between the store's last one and this one are
    /// lost.
    package let after: Int
    package let events: [[UInt8]]
    /// Number of events that the writer has dropped.
    package let dropped: Int
    /// Whether the stream is complete; nil while it continues.
    package let isComplete: Bool?
    /// Time for which the stream is stored without a reader.
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

    /// Maximum bytes of events in one share, without its last event.
    package static let most = 64 << 10
    /// Longest event that is shared, in bytes.
    package static let longestEvent = 1 << 20
}

/// Readers of a stream at other gateways.
package struct StreamReaders: Sendable, Equatable {
    /// Last event that the furthest reader has received; nil while there is no reader.
    package let had: Int?
    /// Whether a client has stopped the stream.
    package let isStopped: Bool

    package init(had: Int?, isStopped: Bool) {
        self.had = had
        self.isStopped = isStopped
    }
}

package struct StreamQuestion: Sendable {
    /// Last event that the reader has.
    package let after: Int
    /// Bytes of events at which the answer ends; 0 for no events.
    package let octets: Int
    /// Whether the reader joins now: the answer then includes the opening, and a stopped stream is unknown.
    package let joins: Bool

    package init(after: Int, octets: Int, joins: Bool) {
        self.after = after
        self.octets = octets
        self.joins = joins
    }
}

package struct StreamAnswer: Sendable, Equatable {
    /// Opening of the stream; nil if the query does not join, or if there is no such stream.
    package var opening: ReplicatedStreamOpening?
    /// Whether there is such a stream.
    package var isKnown = true
    package var last = 0
    /// Number of events that were dropped.
    package var dropped = 0
    /// Whether the stream is complete; nil while it continues.
    package var isComplete: Bool?
    /// Whether the stream's gateway has given a sign of life recently.
    package var lives = true
    /// Events after the one in the query, without a gap.
    package var events: [[UInt8]] = []

    package init() {}

    package static var unknown: StreamAnswer {
        var answer = StreamAnswer()
        answer.isKnown = false
        return answer
    }
}
