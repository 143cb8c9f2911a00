internal import HeadgateHTTP

/// The events of a stream that goes on without its client, each with its number from 1; pure.
///
/// Kept are the newest ones, and all that the client which is furthest has not had yet.
struct DetachedStream: Sendable {
    typealias Wake = @Sendable () -> Void

    struct Opening: Sendable {
        let head: ServerResponseHead
        let dialect: Dialect
        let model: String?
        /// Ends the upstream's work, until its end; it holds the request.
        var stop: Wake?
        /// Gives back its room at other gateways; nil for one that they do not have.
        var forgetElsewhere: Wake?
    }

    enum End: Sendable, Equatable {
        case complete
        /// The response broke off, which its last event says.
        case broken
    }

    enum Reading: Equatable {
        /// Whole events.
        case events([UInt8])
        case end(End)
        /// The next events are not kept any more, since others read on; this is the first that is.
        case dropped(first: Int)
        /// The reader will be woken up.
        case later
    }

    enum Joining: Equatable {
        case reader(Int)
        /// The client has all of it.
        case over
        /// The next events are not kept any more; this is the first that is.
        case dropped(first: Int)
        /// That event has not come; this is the last that has.
        case unknown(last: Int)
    }

    private struct Reader {
        /// The last event that it has had for sure.
        var had: Int
        /// The last that it was given.
        var given: Int
        var wake: Wake?
    }

    private(set) var opening: Opening
    private(set) var end: End?
    /// Octets of what is kept, with what keeping it takes.
    private(set) var size = DetachedStream.cost
    private var events: [[UInt8]] = []
    /// How many events are not kept any more.
    private(set) var dropped = 0
    /// The last event that some client has had.
    private var delivered = 0
    private var readers: [Int: Reader] = [:]
    private var lastReader = 0
    private var writer: Wake?
    /// Of its last reader, unless somebody has come back.
    private(set) var disconnect: Int?
    /// Cancels what would end it when nobody is back in time.
    private var expiry: Wake?
    /// Whether no client may join it any more.
    var isDeleted = false

    /// Octets that a stream takes besides its events.
    static let cost = 2 << 10
    /// Octets that an event takes besides its text.
    static let overhead = 48
    /// Octets that a reader is given at a time, and an event more.
    private static let share = 64 << 10

    init(_ opening: Opening) { self.opening = opening }

    var hasReaders: Bool { !readers.isEmpty }
    /// The number of the newest event.
    var last: Int { dropped + events.count }

    // MARK: The writer

    mutating func append(_ new: [[UInt8]]) {
        for event in new { size += event.count + DetachedStream.overhead }
        events += new
    }

    /// Drops the newest events again.
    mutating func takeBack(_ count: Int) {
        for event in events.suffix(count) { size -= event.count + DetachedStream.overhead }
        events.removeLast(count)
    }

    /// Drops events from the oldest on, as far as the reader has had them that is furthest, or without readers any
    /// client, until so much is left.
    /// A little more is dropped than is needed, so that this is not done with every event.
    mutating func trim(to limit: Int) {
        guard size > limit else { return }
        let free = (readers.values.lazy.map(\.had).max() ?? delivered) - dropped
        var count = 0
        while count < free, size > limit - limit / 8 {
            size -= events[count].count + DetachedStream.overhead
            count += 1
        }
        events.removeFirst(count)
        dropped += count
    }

    /// - Parameter wake: called when a reader has had all, or when the last one has left.
    mutating func waitForRoom(_ wake: @escaping Wake) { writer = wake }

    /// - Returns: whom to wake.
    mutating func finish(_ end: End) -> [Wake] {
        guard self.end == nil else { return [] }
        self.end = end
        writer = nil
        return takeWaiting()
    }

    mutating func takeStop() -> Wake? {
        defer { opening.stop = nil }
        return opening.stop
    }

    mutating func takeExpiry() -> Wake? {
        defer { expiry = nil }
        return expiry
    }

    mutating func takeWaiting() -> [Wake] {
        var wakes: [Wake] = []
        for (number, reader) in readers {
            guard let wake = reader.wake else { continue }
            wakes.append(wake)
            readers[number]?.wake = nil
        }
        return wakes
    }

    // MARK: Readers

    /// - Parameter event: the last one that the client has; 0 for none.
    mutating func join(after event: Int) -> Joining {
        guard event <= last else { return .unknown(last: last) }
        guard event >= dropped else { return .dropped(first: dropped + 1) }
        if event == last, end != nil { return .over }
        lastReader += 1
        readers[lastReader] = Reader(had: event, given: event)
        disconnect = nil
        return .reader(lastReader)
    }

    /// What the reader has not been given yet. Calling again says that it has had this.
    ///
    /// - Returns: that, and the writer to be woken.
    mutating func read(_ number: Int, _ wake: @escaping Wake) -> (reading: Reading, writer: Wake?) {
        guard var reader = readers[number] else { return (.end(.broken), nil) }
        reader.had = reader.given
        delivered = max(delivered, reader.had)
        guard reader.had >= dropped else { return (.dropped(first: dropped + 1), nil) }
        var share: [UInt8] = []
        while reader.given < last, share.count < DetachedStream.share {
            share += events[reader.given - dropped]
            reader.given += 1
        }
        let isLater = share.isEmpty && end == nil
        reader.wake = isLater ? wake : nil
        readers[number] = reader
        if !share.isEmpty { return (.events(share), nil) }
        defer { writer = nil }
        return (end.map { .end($0) } ?? .later, writer)
    }

    /// Where a reader is that is given its events elsewhere.
    ///
    /// - Returns: the writer to be woken, if that reader has had all.
    mutating func move(_ number: Int, to event: Int) -> Wake? {
        guard var reader = readers[number] else { return nil }
        reader.had = max(reader.had, min(event, last))
        reader.given = reader.had
        readers[number] = reader
        delivered = max(delivered, reader.had)
        guard reader.had == last else { return nil }
        defer { writer = nil }
        return writer
    }

    /// What comes after an event, for a store: as much as one share may have.
    ///
    /// - Returns: events without a gap, and the number of the one before them. An event that is too long for a store
    ///   is passed over.
    func share(after event: Int) -> (after: Int, events: [[UInt8]]) {
        var (after, size) = (min(max(event, dropped), last), 0)
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
    ///   - disconnect: its number, if this is the last reader.
    ///   - expiry: cancels what follows from that.
    /// - Returns: the writer to be woken, which nobody holds up any more.
    mutating func leave(_ number: Int, _ disconnect: Int, _ expiry: @escaping Wake) -> Wake? {
        guard readers.removeValue(forKey: number) != nil, readers.isEmpty else { return nil }
        if !isDeleted { (self.disconnect, self.expiry) = (disconnect, expiry) }
        defer { writer = nil }
        return writer
    }
}
