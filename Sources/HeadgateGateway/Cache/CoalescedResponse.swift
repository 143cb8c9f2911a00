internal import HeadgateHTTP
internal import HeadgateRelay

/// Response in flight to several readers, each at its own pace; pure.
///
/// All of it is retained while it is small enough to be cached. Beyond that, only chunks that some reader lacks are.
/// The writer is as fast as the fastest reader; a reader that falls too far behind gets an error and no more.
struct CoalescedResponse: Sendable {
    typealias Wake = @Sendable () -> Void

    struct Chunk: Sendable, Equatable {
        let bytes: [UInt8]
        /// Arrival, in nanoseconds after the head.
        let offset: UInt64

        /// Bytes that a chunk takes besides its content, generously.
        static let overhead = 96
    }

    enum End: Sendable {
        case complete
        /// Complete as a message, though the response itself broke off.
        case broken
        case failed(any Error)
    }

    enum Reading: Sendable {
        case chunks(ArraySlice<Chunk>)
        case end(End)
        /// Other readers are so far ahead that the next chunk is gone.
        case fellBehind
        /// The reader will be woken up.
        case later
    }

    private struct Position: Sendable {
        /// Number of the next chunk.
        var chunk: Int
        /// Bytes before that chunk.
        var octets: Int
    }

    private(set) var head: CachedHead?
    private(set) var end: End?
    /// Cached response that was found instead of a new one.
    private(set) var kept: CachedResponse?
    private(set) var chunks: [Chunk] = []
    /// Bytes in ``chunks``.
    private(set) var size = 0
    /// Whether all of it is retained.
    private(set) var isWhole = true
    /// Number of chunks that have been dropped.
    private var dropped = 0
    /// Bytes that have been dropped.
    private var droppedOctets = 0
    private var positions: [Int: Position] = [:]
    /// Readers that fell too far behind and do not know it yet.
    private var fallen: Set<Int> = []
    private var waiting: [Int: Wake] = [:]
    private var writer: Wake?
    /// Cancels the writer's work when no reader is left.
    private var canceller: Wake?
    private var lastReader = 0
    /// True once the store lookup missed and the request was sent upstream.
    private var isSent = false
    /// Maximum age of a response from the store, in nanoseconds.
    private let maximumAge: Int64
    /// Largest number of bytes that are retained whole.
    private let limit: Int
    /// Bytes that the writer can be ahead of the fastest reader if not all is retained.
    private let window: Int

    /// Bytes that one reader gets at once, unless a single chunk is larger.
    private static let piece = 64 << 10

    init(limit: Int, maximumAge: Int64 = .max) {
        self.limit = limit
        self.maximumAge = maximumAge
        window = min(limit, 64 << 10)
    }

    /// Whole body of a complete document; nil for other responses.
    var document: [UInt8]? {
        guard let head, head.isDocument, case .complete? = end else { return nil }
        // Readers share a single chunk.
        return chunks.count == 1 ? chunks[0].bytes : chunks.flatMap(\.bytes)
    }

    /// Whether it can be forgotten.
    var isOver: Bool { end != nil && positions.isEmpty && fallen.isEmpty }

    var readers: Int { positions.count }

    /// Whether another reader would get all of it, and nothing older than that reader accepts.
    ///
    /// - Parameter maximumAge: in nanoseconds; 0 for a reader that wants a response which began after it.
    func canBeJoined(within maximumAge: Int64) -> Bool {
        isWhole && !positions.isEmpty && maximumAge > 0 && (isSent || self.maximumAge <= maximumAge)
    }

    /// Memory that it takes, in bytes.
    var weight: Int { size + chunks.count * Chunk.overhead }

    /// Bytes that have come so far.
    private var written: Int { droppedOctets + size }

    // MARK: The writer

    /// - Parameter canceller: called when the last reader has left before the end.
    mutating func begin(_ canceller: @escaping Wake) { self.canceller = canceller }

    /// Notes that the store has no response and that the request is sent.
    mutating func send() { isSent = true }

    /// - Returns: the readers to wake.
    mutating func open(_ head: CachedHead) -> [Wake] {
        self.head = head
        return takeWaiting()
    }

    /// - Parameter wake: called when there is room again, if there is none.
    /// - Returns: the readers to wake, and whether there is room for more.
    mutating func append(_ bytes: [UInt8], at offset: UInt64, whenThereIsRoom wake: @escaping Wake) -> (
        wakes: [Wake], hasRoom: Bool
    ) {
        chunks.append(Chunk(bytes: bytes, offset: offset))
        size += bytes.count
        if size > limit { isWhole = false }
        drop()
        cutOff(beyond: limit)
        let hasRoom = isWhole || ahead <= window
        if !hasRoom { writer = wake }
        return (takeWaiting(), hasRoom)
    }

    mutating func finish(_ end: End) -> [Wake] {
        guard self.end == nil else { return [] }
        self.end = end
        writer = nil
        canceller = nil
        return takeWaiting()
    }

    /// Ends the response for all readers with one from the store.
    mutating func settle(_ kept: CachedResponse) -> [Wake] {
        self.kept = kept
        return finish(.complete)
    }

    /// Retains no more than its readers need, since there is no memory for all of it.
    mutating func giveWay() {
        isWhole = false
        drop()
        cutOff(beyond: window)
    }

    private mutating func takeWaiting() -> [Wake] {
        defer { waiting = [:] }
        return Array(waiting.values)
    }

    // MARK: Readers

    /// - Returns: the reader's number.
    mutating func join() -> Int {
        lastReader += 1
        positions[lastReader] = Position(chunk: dropped, octets: droppedOctets)
        return lastReader
    }

    /// Calls back once the head has come, or the end.
    ///
    /// - Returns: whether it will call back.
    mutating func waitForHead(_ reader: Int, _ wake: @escaping Wake) -> Bool {
        guard head == nil, end == nil else { return false }
        waiting[reader] = wake
        return true
    }

    /// Returns the next chunks for a reader, and moves the reader behind them.
    ///
    /// - Returns: the chunks, and the writer to wake if there is room again.
    mutating func read(_ reader: Int, _ wake: @escaping Wake) -> (reading: Reading, writer: Wake?) {
        guard let position = positions[reader] else {
            return (fallen.contains(reader) ? .fellBehind : .later, nil)
        }
        let index = position.chunk - dropped
        guard index < chunks.count else {
            if let end { return (.end(end), nil) }
            waiting[reader] = wake
            return (.later, nil)
        }
        var (next, octets) = (index, 0)
        while next < chunks.count, next == index || octets + chunks[next].bytes.count <= CoalescedResponse.piece {
            octets += chunks[next].bytes.count
            next += 1
        }
        // A copy of the new ones: a slice would share the buffer, and the next append would copy all of it.
        let piece = Array(chunks[index..<next])
        positions[reader] = Position(chunk: dropped + next, octets: position.octets + octets)
        return (.chunks(piece[...]), takeWriter())
    }

    /// - Returns: the writer to wake, if there is room again, or, after the last reader, the writer's canceller.
    mutating func leave(_ reader: Int) -> Wake? {
        fallen.remove(reader)
        guard positions.removeValue(forKey: reader) != nil else { return nil }
        waiting[reader] = nil
        guard positions.isEmpty else { return takeWriter() }
        defer { canceller = nil }
        return canceller
    }

    private mutating func takeWriter() -> Wake? {
        drop()
        guard isWhole || ahead <= window / 2 else { return nil }
        defer { writer = nil }
        return writer
    }

    /// Bytes that the fastest reader has not received.
    private var ahead: Int { written - (positions.values.map(\.octets).max() ?? written) }

    /// Cuts off readers that are much slower than the fastest one, so that they hold up no one.
    private mutating func cutOff(beyond limit: Int) {
        guard !isWhole, positions.count > 1, ahead <= window else { return }
        for (reader, position) in positions where written - position.octets > limit {
            positions[reader] = nil
            fallen.insert(reader)
        }
        drop()
    }

    private mutating func drop() {
        guard !isWhole else { return }
        let first = (positions.values.map(\.chunk).min() ?? dropped + chunks.count) - dropped
        guard first > 0 else { return }
        let octets = chunks[..<first].reduce(0) { $0 + $1.bytes.count }
        size -= octets
        droppedOctets += octets
        chunks.removeFirst(first)
        dropped += first
    }
}
