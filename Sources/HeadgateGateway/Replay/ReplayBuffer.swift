/// Part of a response that is retained for several readers, each at its own pace; pure.
///
/// The buffer counts the elements that its readers have received, and knows which readers to wake. Its owner decides
/// which elements to drop, and when the writer waits.
struct ReplayBuffer<Element: ReplayElement>: Sendable {
    typealias Wake = @Sendable () -> Void

    enum Reading {
        case elements([Element])
        /// The next element was dropped.
        case dropped
        /// There is nothing new.
        case nothing
    }

    private struct Reader {
        /// Number of elements that it was given.
        var given: Int
        /// Number of elements that it has certainly received.
        var received: Int
        /// Content of the elements that it was given, in bytes.
        var octets: Int
        var wake: Wake?
    }

    private(set) var elements: [Element] = []
    /// Content of ``elements``, in bytes.
    private(set) var size = 0
    /// Number of elements that were dropped.
    private(set) var dropped = 0
    /// Content of the dropped elements, in bytes.
    private var droppedOctets = 0
    private var readers: [Int: Reader] = [:]
    private var lastReader = 0
    /// Number of elements that some reader has certainly received.
    private var delivered = 0
    private var writer: Wake?

    /// Bytes that one reader gets at once, unless a single element is larger.
    private static var piece: Int { 64 << 10 }

    /// Number of elements so far, including dropped ones.
    var count: Int { dropped + elements.count }
    /// Content so far, in bytes.
    private var written: Int { droppedOctets + size }
    var hasReaders: Bool { !readers.isEmpty }
    /// Whether any reader can still get all elements after those that it was given.
    var hasCompleteReaders: Bool { readers.values.contains { $0.given >= dropped } }

    // MARK: The writer

    mutating func append(_ new: [Element]) {
        for element in new { size += element.octets }
        elements += new
    }

    /// Removes the newest elements again.
    mutating func takeBack(_ count: Int) {
        for element in elements.suffix(count) { size -= element.octets }
        elements.removeLast(count)
    }

    /// Drops the oldest elements.
    mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        let octets = elements[..<count].reduce(0) { $0 + $1.octets }
        size -= octets
        droppedOctets += octets
        elements.removeFirst(count)
        dropped += count
    }

    mutating func waitForRoom(_ wake: @escaping Wake) { writer = wake }

    /// - Returns: the writer to wake, if it waits.
    mutating func takeWriter() -> Wake? {
        defer { writer = nil }
        return writer
    }

    /// - Returns: the readers to wake.
    mutating func takeWaiting() -> [Wake] {
        var wakes: [Wake] = []
        for (number, reader) in readers {
            guard let wake = reader.wake else { continue }
            wakes.append(wake)
            readers[number]?.wake = nil
        }
        return wakes
    }

    // MARK: Progress

    /// Number of retained elements that the furthest reader has certainly received; without readers, that some reader
    /// had.
    var receivedByFurthest: Int { (readers.values.lazy.map(\.received).max() ?? delivered) - dropped }

    /// Returns the number of retained elements that every reader within a lag was given. Slower readers do not count.
    ///
    /// - Parameter lag: maximum bytes behind the newest element.
    func receivedByAll(within lag: Int) -> Int {
        let given = readers.values.lazy.filter { written - $0.octets <= lag && $0.given >= dropped }.map(\.given)
        return (given.min() ?? count) - dropped
    }

    /// Bytes that the fastest reader was not given yet.
    var lagOfFastest: Int { written - (readers.values.lazy.map(\.octets).max() ?? written) }

    // MARK: Readers

    /// - Parameter position: number of elements that the reader has, at least ``dropped``.
    /// - Returns: the reader's number.
    mutating func join(at position: Int) -> Int {
        lastReader += 1
        let octets = elements[..<(position - dropped)].reduce(droppedOctets) { $0 + $1.octets }
        readers[lastReader] = Reader(given: position, received: position, octets: octets)
        return lastReader
    }

    mutating func wait(_ number: Int, _ wake: @escaping Wake) { readers[number]?.wake = wake }

    /// Returns the elements that a reader was not given yet. The next call confirms that it has received them.
    mutating func read(_ number: Int) -> Reading {
        guard var reader = readers[number] else { return .nothing }
        defer { readers[number] = reader }
        reader.received = reader.given
        reader.wake = nil
        delivered = max(delivered, reader.received)
        guard reader.given >= dropped else { return .dropped }
        let first = reader.given - dropped
        var (next, octets) = (first, 0)
        while next < elements.count, next == first || octets + elements[next].octets <= Self.piece {
            octets += elements[next].octets
            next += 1
        }
        guard next > first else { return .nothing }
        reader.given = dropped + next
        reader.octets += octets
        // A copy: a slice would share the buffer, and the next append would copy all of it.
        return .elements(Array(elements[first..<next]))
    }

    /// Moves a reader that gets its elements elsewhere.
    ///
    /// - Returns: whether it has received all of them; nil if there is no such reader.
    mutating func move(_ number: Int, to position: Int) -> Bool? {
        guard let reader = readers[number] else { return nil }
        let position = max(reader.received, min(position, count))
        let octets = elements[..<max(0, position - dropped)].reduce(droppedOctets) { $0 + $1.octets }
        readers[number] = Reader(given: position, received: position, octets: octets, wake: reader.wake)
        delivered = max(delivered, position)
        return position == count
    }

    /// - Returns: whether there was such a reader.
    mutating func leave(_ number: Int) -> Bool { readers.removeValue(forKey: number) != nil }
}

protocol ReplayElement: Sendable {
    /// Size of the content, in bytes.
    var octets: Int { get }
}

extension [UInt8]: ReplayElement {
    var octets: Int { count }
}
