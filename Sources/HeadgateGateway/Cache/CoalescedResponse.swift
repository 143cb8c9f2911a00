internal import HeadgateHTTP

/// A response on its way to several readers, each as fast as it can; pure.
///
/// All of it is kept while it is small enough to be cached. Beyond that only what some reader has not had yet is: the
/// writer goes as fast as the fastest reader, and one that falls too far behind it is told so and gets no more.
struct CoalescedResponse: Sendable {
    typealias Wake = @Sendable () -> Void

    struct Chunk: Sendable, Equatable {
        let bytes: [UInt8]
        /// Nanoseconds after the head.
        let offset: UInt64

        /// Octets that one takes besides its own, generously.
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
        /// Other readers are so far ahead that nothing is left for this one.
        case fellBehind
        /// The reader will be woken up.
        case later
    }

    private struct Position: Sendable {
        /// The number of the chunk that is next.
        var chunk: Int
        /// Octets before it.
        var octets: Int
    }

    private(set) var head: CachedHead?
    private(set) var end: End?
    /// What was found in place of a response on its way.
    private(set) var kept: CachedResponse?
    private(set) var chunks: [Chunk] = []
    /// Octets in ``chunks``.
    private(set) var size = 0
    /// Whether all of it is kept.
    private(set) var isWhole = true
    /// How many chunks have been dropped.
    private var dropped = 0
    /// Octets of those.
    private var droppedOctets = 0
    private var positions: [Int: Position] = [:]
    /// Those that fell too far behind, and have not been told.
    private var fallen: Set<Int> = []
    private var waiting: [Int: Wake] = [:]
    private var writer: Wake?
    /// Ends the writer's work, which nobody needs any more.
    private var canceller: Wake?
    private var lastReader = 0
    /// Whether it is looked for no more: what comes is new.
    private var isSent = false
    /// Nanoseconds: how old what is looked for may be.
    private let maximumAge: Int64
    /// Octets that are kept at most.
    private let limit: Int
    /// Octets that the writer may be ahead of the fastest reader where not all is kept.
    private let window: Int

    /// Octets that one reader is given at a time.
    private static let piece = 64 << 10

    init(limit: Int, maximumAge: Int64 = .max) {
        self.limit = limit
        self.maximumAge = maximumAge
        window = min(limit, 64 << 10)
    }

    /// All of it, where it is a whole document.
    var document: [UInt8]? {
        guard let head, head.isDocument, case .complete? = end else { return nil }
        // Its readers share one piece.
        return chunks.count == 1 ? chunks[0].bytes : chunks.flatMap(\.bytes)
    }

    /// Whether it can be forgotten.
    var isOver: Bool { end != nil && positions.isEmpty && fallen.isEmpty }

    var readers: Int { positions.count }

    /// Whether another reader would get all of it, and nothing that is older than it takes.
    ///
    /// - Parameter maximumAge: in nanoseconds; 0 for a reader that wants an answer which began after it.
    func canBeJoined(within maximumAge: Int64) -> Bool {
        isWhole && !positions.isEmpty && maximumAge > 0 && (isSent || self.maximumAge <= maximumAge)
    }

    /// Octets that it takes.
    var weight: Int { size + chunks.count * Chunk.overhead }

    /// Octets that have come.
    private var written: Int { droppedOctets + size }

    // MARK: The writer

    /// - Parameter canceller: called when the last reader has left before the end.
    mutating func begin(_ canceller: @escaping Wake) { self.canceller = canceller }

    /// It was not found where it might have been kept.
    mutating func send() { isSent = true }

    /// - Returns: whom to wake.
    mutating func open(_ head: CachedHead) -> [Wake] {
        self.head = head
        return takeWaiting()
    }

    /// - Parameter wake: called when there is room again, if there is none.
    /// - Returns: whom to wake, and whether there is room for more.
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

    /// All readers get a response that was kept.
    mutating func settle(_ kept: CachedResponse) -> [Wake] {
        self.kept = kept
        return finish(.complete)
    }

    /// Keeps no more than its readers need: there is no memory for all of it.
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

    /// - Returns: its number.
    mutating func join() -> Int {
        lastReader += 1
        positions[lastReader] = Position(chunk: dropped, octets: droppedOctets)
        return lastReader
    }

    /// Calls back once the head has come, or the end.
    ///
    /// - Returns: whether it will.
    mutating func waitForHead(_ reader: Int, _ wake: @escaping Wake) -> Bool {
        guard head == nil, end == nil else { return false }
        waiting[reader] = wake
        return true
    }

    /// The next part of what the reader has not had yet. Calling again says that it has had this.
    ///
    /// - Returns: that, and the writer to be woken, if there is room again.
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

    /// - Returns: whom to call: the writer, if there is room again, or what ends it, after the last reader.
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

    /// Octets that the fastest reader has not had.
    private var ahead: Int { written - (positions.values.map(\.octets).max() ?? written) }

    /// Nobody is held up by a reader that is much slower than another.
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
