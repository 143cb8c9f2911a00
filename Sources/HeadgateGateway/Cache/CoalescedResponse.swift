internal import HeadgateHTTP
internal import HeadgateRelay

/// Response in flight to several readers, each at its own pace; pure.
///
/// The whole response is retained while it is small enough to be cached. After that, only chunks that a reader still
/// needs are. The writer is as fast as the fastest reader; a reader that falls too far behind gets an error and no
/// more.
struct CoalescedResponse: Sendable {
    typealias Wake = @Sendable () -> Void

    struct Chunk: ReplayElement, Equatable {
        let bytes: [UInt8]
        /// Arrival, in nanoseconds after the head.
        let offset: UInt64

        var octets: Int { bytes.count }

        /// Memory that a chunk takes besides its content, in bytes; an upper estimate.
        static let overhead = 96
    }

    enum End: Sendable {
        case complete
        /// Complete as an HTTP message, although the response itself broke off.
        case broken
        case failed(any Error)
    }

    enum Reading: Sendable {
        case chunks([Chunk])
        case end(End)
        /// Other readers are so far ahead that the next chunk was dropped.
        case fellBehind
        /// The reader will be woken up.
        case later
    }

    private(set) var head: CachedHead?
    private(set) var end: End?
    /// Cached response that was found instead of a new one.
    private(set) var kept: CachedResponse?
    private var buffer = ReplayBuffer<Chunk>()
    /// Whether the whole response is retained.
    private(set) var isWhole = true
    /// Cancels the writer's work when no reader is left.
    private var canceller: Wake?
    /// True once the store lookup missed and the request was sent upstream.
    private var isSent = false
    /// Maximum age of a response from the store, in nanoseconds.
    private let maximumAge: Int64
    /// Largest response that is retained whole, in bytes.
    private let limit: Int
    /// Bytes that the writer can be ahead of the fastest reader once the response is not retained whole.
    private let window: Int

    init(limit: Int, maximumAge: Int64 = .max) {
        self.limit = limit
        self.maximumAge = maximumAge
        window = min(limit, 64 << 10)
    }

    /// Whole body of a complete document; nil for other responses.
    var document: [UInt8]? {
        guard let head, head.isDocument, case .complete? = end else { return nil }
        let chunks = chunks
        // Readers share a single chunk.
        return chunks.count == 1 ? chunks[0].bytes : chunks.flatMap(\.bytes)
    }

    var chunks: [Chunk] { buffer.elements }
    /// Bytes in ``chunks``.
    var size: Int { buffer.size }
    /// Whether the response has ended and has no readers, so that it can be removed.
    var isOver: Bool { end != nil && !buffer.hasReaders }

    /// Returns whether another reader can join: it gets the whole response, and nothing older than it accepts.
    ///
    /// - Parameter maximumAge: in nanoseconds; 0 for a reader that requires a response which began after its request.
    func canBeJoined(within maximumAge: Int64) -> Bool {
        isWhole && buffer.hasReaders && maximumAge > 0 && (isSent || self.maximumAge <= maximumAge)
    }

    /// Memory that the response takes, in bytes.
    var weight: Int { buffer.size + buffer.elements.count * Chunk.overhead }

    // MARK: The writer

    /// - Parameter canceller: called when the last reader has left before the end.
    mutating func begin(_ canceller: @escaping Wake) { self.canceller = canceller }

    /// Notes that the store has no response and that the request is sent.
    mutating func send() { isSent = true }

    /// - Returns: the readers to wake.
    mutating func open(_ head: CachedHead) -> [Wake] {
        self.head = head
        return buffer.takeWaiting()
    }

    /// - Parameter wake: called once there is room again, if there is none now.
    /// - Returns: the readers to wake, and whether there is room for more.
    mutating func append(_ bytes: [UInt8], at offset: UInt64, whenThereIsRoom wake: @escaping Wake) -> (
        wakes: [Wake], hasRoom: Bool
    ) {
        buffer.append([Chunk(bytes: bytes, offset: offset)])
        if buffer.size > limit { isWhole = false }
        drop(beyond: limit)
        let hasRoom = isWhole || buffer.lagOfFastest <= window
        if !hasRoom { buffer.waitForRoom(wake) }
        return (buffer.takeWaiting(), hasRoom)
    }

    mutating func finish(_ end: End) -> [Wake] {
        guard self.end == nil else { return [] }
        self.end = end
        _ = buffer.takeWriter()
        canceller = nil
        return buffer.takeWaiting()
    }

    /// Ends the response for all readers with one from the store.
    mutating func settle(_ kept: CachedResponse) -> [Wake] {
        self.kept = kept
        return finish(.complete)
    }

    /// Retains only the chunks that readers still need, because there is no memory for the whole response.
    mutating func giveWay() {
        isWhole = false
        drop(beyond: window)
    }

    /// Drops chunks that every reader has. While the fastest reader keeps up, also drops chunks that only readers far
    /// behind lack, so that they hold up no one.
    private mutating func drop(beyond limit: Int = .max) {
        guard !isWhole else { return }
        buffer.drop(buffer.receivedByAll(within: buffer.lagOfFastest <= window ? limit : .max))
    }

    // MARK: Readers

    /// - Returns: the reader's number.
    mutating func join() -> Int { buffer.join(at: buffer.dropped) }

    /// Calls `wake` once the head or the end has arrived.
    ///
    /// - Returns: whether `wake` will be called; false if one of them has arrived already.
    mutating func waitForHead(_ reader: Int, _ wake: @escaping Wake) -> Bool {
        guard head == nil, end == nil else { return false }
        buffer.wait(reader, wake)
        return true
    }

    /// Takes the next chunks for a reader.
    ///
    /// - Returns: the chunks, and the writer to wake if there is room again.
    mutating func read(_ reader: Int, _ wake: @escaping Wake) -> (reading: Reading, writer: Wake?) {
        switch buffer.read(reader) {
        case .elements(let chunks): return (.chunks(chunks), takeWriter())
        case .dropped: return (.fellBehind, nil)
        case .nothing:
            if let end { return (.end(end), nil) }
            buffer.wait(reader, wake)
            return (.later, nil)
        }
    }

    /// - Returns: the writer to wake if there is room again; after the last reader, the writer's canceller.
    mutating func leave(_ reader: Int) -> Wake? {
        guard buffer.leave(reader) else { return nil }
        guard !buffer.hasCompleteReaders else { return takeWriter() }
        defer { canceller = nil }
        return canceller
    }

    private mutating func takeWriter() -> Wake? {
        drop()
        return isWhole || buffer.lagOfFastest <= window / 2 ? buffer.takeWriter() : nil
    }
}
