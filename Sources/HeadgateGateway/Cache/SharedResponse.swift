internal import HeadgateHTTP

/// A response on its way to several readers, each as fast as it can; pure.
///
/// All of it is kept while it is small enough to be cached. Beyond that only what some reader has not had yet is, and
/// the writer is held up where that becomes too much.
struct SharedResponse: Sendable {
    typealias Wake = @Sendable () -> Void

    struct Chunk: Sendable {
        let bytes: [UInt8]
        /// Nanoseconds after the head.
        let offset: UInt64
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
        /// The reader will be woken up.
        case later
    }

    private(set) var head: CachedHead?
    private(set) var end: End?
    private(set) var chunks: [Chunk] = []
    /// Octets in ``chunks``.
    private(set) var size = 0
    /// Whether all of it is kept.
    private(set) var isWhole = true
    /// How many chunks have been dropped.
    private var dropped = 0
    private var positions: [Int: Int] = [:]
    private var waiting: [Int: Wake] = [:]
    private var writer: Wake?
    /// Ends the writer's work, which nobody needs any more.
    private var canceller: Wake?
    private var lastReader = 0
    /// Octets that are kept at most.
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// All of it, where it is a whole document.
    var document: [UInt8]? {
        guard let head, head.isDocument, case .complete? = end else { return nil }
        return chunks.flatMap(\.bytes)
    }

    /// Whether it can be forgotten.
    var isOver: Bool { end != nil && positions.isEmpty }

    var readers: Int { positions.count }

    /// Whether another reader would get all of it.
    var canBeJoined: Bool { isWhole && !positions.isEmpty }

    // MARK: The writer

    /// - Parameter canceller: called when the last reader has left before the end.
    mutating func begin(_ canceller: @escaping Wake) { self.canceller = canceller }

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
        if size > limit { writer = wake }
        return (takeWaiting(), size <= limit)
    }

    mutating func finish(_ end: End) -> [Wake] {
        guard self.end == nil else { return [] }
        self.end = end
        writer = nil
        canceller = nil
        return takeWaiting()
    }

    private mutating func takeWaiting() -> [Wake] {
        defer { waiting = [:] }
        return Array(waiting.values)
    }

    // MARK: Readers

    /// - Returns: its number.
    mutating func join() -> Int {
        lastReader += 1
        positions[lastReader] = dropped
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

    /// What the reader has not had yet. Calling again says that it has had this.
    ///
    /// - Returns: that, and the writer to be woken, if there is room again.
    mutating func read(_ reader: Int, _ wake: @escaping Wake) -> (reading: Reading, writer: Wake?) {
        guard let position = positions[reader] else { return (.later, nil) }
        let index = position - dropped
        guard index < chunks.count else {
            if let end { return (.end(end), nil) }
            waiting[reader] = wake
            return (.later, nil)
        }
        // A copy of the new ones: a slice would share the buffer, and the next append would copy all of it.
        let rest = Array(chunks[index...])
        positions[reader] = dropped + chunks.count
        return (.chunks(rest[...]), takeWriter())
    }

    /// - Returns: whom to call: the writer, if there is room again, or what ends it, after the last reader.
    mutating func leave(_ reader: Int) -> Wake? {
        guard positions.removeValue(forKey: reader) != nil else { return nil }
        waiting[reader] = nil
        guard positions.isEmpty else { return takeWriter() }
        defer { canceller = nil }
        return canceller
    }

    private mutating func takeWriter() -> Wake? {
        drop()
        guard size <= limit / 2 else { return nil }
        defer { writer = nil }
        return writer
    }

    private mutating func drop() {
        guard !isWhole else { return }
        let first = (positions.values.min() ?? dropped + chunks.count) - dropped
        guard first > 0 else { return }
        size -= chunks[..<first].reduce(0) { $0 + $1.bytes.count }
        chunks.removeFirst(first)
        dropped += first
    }
}
