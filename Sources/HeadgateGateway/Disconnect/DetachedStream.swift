internal import HeadgateHTTP
internal import HeadgateRelay

/// Events of a stream that continues without its client, numbered from 1; pure.
///
/// It retains the newest events, and all events that the furthest client has not received yet.
struct DetachedStream: Sendable {
    typealias Wake = @Sendable () -> Void

    struct Opening: Sendable {
        let head: ServerResponseHead
        let dialect: Dialect
        let model: String?
        /// Ends the upstream's work; nil after the stream's end. It retains the request.
        var stop: Wake?
        /// Frees the stream's space in the store that gateways share; nil for a stream that is not shared.
        var forgetElsewhere: Wake?
    }

    enum End: Sendable, Equatable {
        case complete
        /// The response broke off; its last event says so.
        case broken
    }

    enum Reading: Equatable {
        /// Whole events.
        case events([UInt8])
        case end(End)
        /// The next events were dropped, because other clients continued to read; `first` is the first one left.
        case dropped(first: Int)
        /// The reader will be woken up.
        case later
    }

    enum Joining: Equatable {
        case reader(Int)
        /// The stream has ended, and the client has all events.
        case over
        /// The next events were dropped; `first` is the first one left.
        case dropped(first: Int)
        /// The client names an event that has not arrived; `last` is the newest one.
        case unknown(last: Int)
    }

    private(set) var opening: Opening
    private(set) var end: End?
    private var buffer = ReplayBuffer<[UInt8]>()
    /// Number of the last reader's disconnect; nil while anyone is reading.
    private(set) var disconnect: Int?
    /// Cancels the expiry of a stream without readers.
    private var expiry: Wake?
    /// Whether clients can no longer join it.
    var isDeleted = false

    /// Memory that a stream takes besides its events, in bytes.
    static let cost = 2 << 10
    /// Memory that an event takes besides its text, in bytes.
    static let overhead = 48
    init(_ opening: Opening) { self.opening = opening }

    var hasReaders: Bool { buffer.hasReaders }
    /// Memory of the stream and its events, in bytes.
    var size: Int { DetachedStream.cost + buffer.size + buffer.elements.count * DetachedStream.overhead }
    /// Number of events that were dropped.
    var dropped: Int { buffer.dropped }
    /// Number of the newest event.
    var last: Int { buffer.count }

    // MARK: The writer

    mutating func append(_ new: [[UInt8]]) { buffer.append(new) }

    /// Removes the newest events again.
    mutating func takeBack(_ count: Int) { buffer.takeBack(count) }

    /// Drops the oldest events until the stream is within the limit. Drops only events that the furthest reader has
    /// received; without readers, only events that some client has received. Frees an eighth of the limit as well, so
    /// that not every event causes a drop.
    mutating func trim(to limit: Int) {
        guard size > limit else { return }
        let free = buffer.receivedByFurthest
        var (count, left) = (0, size)
        while count < free, left > limit - limit / 8 {
            left -= buffer.elements[count].count + DetachedStream.overhead
            count += 1
        }
        buffer.drop(count)
    }

    /// - Parameter wake: called when a reader has received all events, or when the last one has left.
    mutating func waitForRoom(_ wake: @escaping Wake) { buffer.waitForRoom(wake) }

    /// - Returns: the readers to wake.
    mutating func finish(_ end: End) -> [Wake] {
        guard self.end == nil else { return [] }
        self.end = end
        _ = buffer.takeWriter()
        return takeWaiting()
    }

    mutating func takeWaiting() -> [Wake] { buffer.takeWaiting() }

    mutating func takeStop() -> Wake? {
        defer { opening.stop = nil }
        return opening.stop
    }

    mutating func takeExpiry() -> Wake? {
        defer { expiry = nil }
        return expiry
    }

    // MARK: Readers

    /// - Parameter event: the last event that the client has; 0 for none.
    mutating func join(after event: Int) -> Joining {
        guard event <= last else { return .unknown(last: last) }
        guard event >= dropped else { return .dropped(first: dropped + 1) }
        if event == last, end != nil { return .over }
        disconnect = nil
        return .reader(buffer.join(at: event))
    }

    /// Returns the events that the reader has not been given yet. The next call confirms that it has received them.
    ///
    /// - Returns: the events, and the writer to wake.
    mutating func read(_ number: Int, _ wake: @escaping Wake) -> (reading: Reading, writer: Wake?) {
        switch buffer.read(number) {
        case .elements(let events): return (.events(events.count == 1 ? events[0] : Array(events.joined())), nil)
        case .dropped: return (.dropped(first: dropped + 1), nil)
        case .nothing:
            if end == nil { buffer.wait(number, wake) }
            return (end.map { .end($0) } ?? .later, buffer.takeWriter())
        }
    }

    /// Moves a reader that gets its events from another gateway.
    ///
    /// - Returns: the writer to wake, if that reader has received all events.
    mutating func move(_ number: Int, to event: Int) -> Wake? {
        buffer.move(number, to: event) == true ? buffer.takeWriter() : nil
    }

    /// Returns the events after an event that fit in one share for a store.
    ///
    /// - Returns: events without a gap, and the number of the one before them. Events that are too long for a store
    ///   are skipped.
    func share(after event: Int) -> (after: Int, events: [[UInt8]]) {
        var (after, size) = (min(max(event, dropped), last), 0)
        let events = buffer.elements
        while after < last, events[after - dropped].count > StreamShare.longestEvent { after += 1 }
        var share: [[UInt8]] = []
        for event in events[(after - dropped)...] {
            guard size < StreamShare.most, event.count <= StreamShare.longestEvent else { break }
            share.append(event)
            size += event.count
        }
        return (after, share)
    }

    /// - Parameters:
    ///   - disconnect: the number of the disconnect, if this is the last reader.
    ///   - expiry: cancels the expiry that follows.
    /// - Returns: the writer to wake, because no reader holds it up any longer.
    mutating func leave(_ number: Int, _ disconnect: Int, _ expiry: @escaping Wake) -> Wake? {
        guard buffer.leave(number), !buffer.hasReaders else { return nil }
        if !isDeleted { (self.disconnect, self.expiry) = (disconnect, expiry) }
        return buffer.takeWriter()
    }
}
