internal import HeadgateConfiguration

/// The streams that go on without their clients, of all loops; pure.
///
/// Together they take no more than the memory that the configuration grants, and one event or one read of each that a
/// client is reading.
package struct DetachedStreams: Sendable {
    /// Runs one change at a time.
    package typealias Guarded = @Sendable (_ body: (inout DetachedStreams) -> Void) -> Void
    typealias Wake = DetachedStream.Wake

    /// Nobody but the key that has begun a stream reaches it.
    struct Key: Hashable, Sendable {
        /// Of the request.
        let id: String
        let owner: KeyDigest
    }

    enum Room: Equatable {
        case free
        /// The writer waits until a reader has had all.
        case later
        /// Nobody reads, and the events do not fit: none of them was kept.
        case none
    }

    private var streams: [Key: DetachedStream] = [:]
    /// Those that are over and that nobody reads, in the order of when that began.
    private var ended = RecencyList<Key, Void>()
    /// Octets of all.
    private(set) var size = 0
    /// How often a last reader has left: a stream may have the id of one that is gone.
    private var departures = 0

    package init() {}

    var count: Int { streams.count }

    // MARK: The writer

    /// - Returns: the number of the first reader; nil when a stream with that id is going on already.
    mutating func begin(_ key: Key, _ opening: DetachedStream.Opening) -> Int? {
        if let known = streams[key] {
            guard known.end != nil, !known.hasReaders else { return nil }
            forget(key)
        }
        var stream = DetachedStream(opening)
        guard case .reader(let reader) = stream.join(after: 0) else { return nil }
        streams[key] = stream
        return reader
    }

    /// - Parameter wake: called when there is room again, if that is later.
    /// - Returns: whom to wake.
    mutating func append(
        _ events: [[UInt8]], to key: Key, _ limits: StreamsConfiguration, whenThereIsRoom wake: @escaping Wake
    ) -> (wakes: [Wake], room: Room) {
        guard var stream = streams.removeValue(forKey: key) else { return ([], .none) }
        defer { streams[key] = stream }
        size -= stream.size
        defer { size += stream.size }
        stream.append(events)
        stream.trim(to: limits.buffer)
        while size + stream.size > limits.memory, let oldest = ended.oldestKey { forget(oldest) }
        stream.trim(to: max(0, limits.memory - size))
        if stream.size > limits.buffer || size + stream.size > limits.memory {
            if !stream.hasReaders {
                stream.takeBack(events.count)
                return ([], .none)
            }
            stream.waitForRoom(wake)
            return (stream.takeWaiting(), .later)
        }
        return (stream.takeWaiting(), .free)
    }

    /// Ends a stream with what its last event says, for which there is room.
    ///
    /// - Returns: whom to wake.
    mutating func finish(_ key: Key, _ end: DetachedStream.End, saying event: [UInt8]? = nil) -> [Wake] {
        guard var stream = streams.removeValue(forKey: key) else { return [] }
        size -= stream.size
        if let event { stream.append([event]) }
        size += stream.size
        let wakes = stream.finish(end)
        streams[key] = stream
        settle(key)
        return wakes
    }

    // MARK: Clients

    /// - Returns: nil where there is no such stream.
    mutating func join(_ key: Key, after event: Int) -> (DetachedStream.Joining, DetachedStream.Opening)? {
        guard var stream = streams.removeValue(forKey: key) else { return nil }
        defer { streams[key] = stream }
        guard !stream.isDeleted else { return nil }
        let joining = stream.join(after: event)
        if case .reader = joining { ended.remove(key) }
        return (joining, stream.opening)
    }

    mutating func read(
        _ key: Key, _ reader: Int, _ wake: @escaping Wake
    ) -> (reading: DetachedStream.Reading, writer: Wake?) {
        guard var stream = streams.removeValue(forKey: key) else { return (.end(.broken), nil) }
        defer { streams[key] = stream }
        return stream.read(reader, wake)
    }

    /// - Returns: the writer to be woken; and, for the last reader, what ``expire(_:after:)`` takes.
    mutating func leave(_ key: Key, _ reader: Int) -> (writer: Wake?, departure: Int?) {
        guard var stream = streams.removeValue(forKey: key) else { return (nil, nil) }
        departures += 1
        let writer = stream.leave(reader, departures)
        streams[key] = stream
        settle(key)
        return (writer, stream.departure)
    }

    // MARK: Ends

    /// Nobody has come back since that departure.
    ///
    /// - Returns: what ends the upstream's work, if it still goes on.
    mutating func expire(_ key: Key, after departure: Int) -> Wake? {
        guard streams[key]?.departure == departure else { return nil }
        return delete(key)
    }

    /// Makes a stream unknown to clients. Who reads it has its end.
    ///
    /// - Returns: what ends the upstream's work, if it still goes on; nil too where there is no such stream.
    mutating func delete(_ key: Key) -> Wake? {
        guard var stream = streams.removeValue(forKey: key) else { return nil }
        stream.isDeleted = true
        streams[key] = stream
        settle(key)
        return stream.end == nil ? stream.opening.stop : nil
    }

    func has(_ key: Key) -> Bool { streams[key].map { !$0.isDeleted } ?? false }

    private mutating func settle(_ key: Key) {
        guard let stream = streams[key], stream.end != nil, !stream.hasReaders else { return }
        if stream.isDeleted { forget(key) } else { ended.insert((), for: key) }
    }

    private mutating func forget(_ key: Key) {
        ended.remove(key)
        if let stream = streams.removeValue(forKey: key) { size -= stream.size }
    }
}
