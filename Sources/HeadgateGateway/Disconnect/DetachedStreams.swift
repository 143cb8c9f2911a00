internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// The streams that go on without their clients, of all loops; pure.
///
/// Together they take no more than the memory that the configuration grants, and one event or one read of each that a
/// client is reading.
package struct DetachedStreams: Sendable {
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
    private var disconnects = 0

    package init() {}

    var count: Int { streams.count }

    // MARK: The writer

    /// - Returns: the number of the first reader; nil when a stream with that id is going on already. And what cancels
    ///   the expiry of one that has ended.
    mutating func begin(_ key: Key, _ opening: DetachedStream.Opening) -> (reader: Int, expiry: Wake?)? {
        var expiry: Wake?
        if let known = streams[key] {
            guard known.end != nil, !known.hasReaders else { return nil }
            expiry = forget(key)
        }
        var stream = DetachedStream(opening)
        guard case .reader(let reader) = stream.join(after: 0) else { return nil }
        streams[key] = stream
        size += stream.size
        return (reader, expiry)
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
        var expiries: [Wake] = []
        while size + stream.size > limits.memory, let oldest = ended.oldestKey {
            // So that the memory of all gateways bounds what is shared.
            let elsewhere = streams[oldest]?.opening.forgetElsewhere
            expiries += [elsewhere, forget(oldest)].compactMap(\.self)
        }
        stream.trim(to: max(0, limits.memory - size))
        if stream.size > limits.buffer || size + stream.size > limits.memory {
            if !stream.hasReaders {
                stream.takeBack(events.count)
                return (expiries, .none)
            }
            stream.waitForRoom(wake)
            return (expiries + stream.takeWaiting(), .later)
        }
        return (expiries + stream.takeWaiting(), .free)
    }

    struct Finished {
        /// Whom to wake.
        var wakes: [Wake] = []
        /// What would have stopped the stream, to be released outside of the lock.
        var stop: Wake?
        /// What a store was not told of.
        var rest: Shared?
    }

    /// Ends a stream with what its last event says, for which there is room.
    ///
    /// - Parameter position: after which event a store is told of the rest; nil without one.
    mutating func finish(
        _ key: Key, _ end: DetachedStream.End, saying event: [UInt8]? = nil, sharing position: Int? = nil
    ) -> Finished {
        guard var stream = streams.removeValue(forKey: key) else { return Finished() }
        size -= stream.size
        if let event { stream.append([event]) }
        size += stream.size
        var finished = Finished(wakes: stream.finish(end), stop: stream.takeStop())
        streams[key] = stream
        finished.rest = position.flatMap { share(key, after: $0) }
        settle(key)
        return finished
    }

    // MARK: Clients

    struct Joined {
        let joining: DetachedStream.Joining
        let opening: DetachedStream.Opening
        /// Cancels the stream's expiry.
        let expiry: Wake?
    }

    /// - Returns: nil where there is no such stream.
    mutating func join(_ key: Key, after event: Int) -> Joined? {
        guard var stream = streams.removeValue(forKey: key) else { return nil }
        defer { streams[key] = stream }
        guard !stream.isDeleted else { return nil }
        let joining = stream.join(after: event)
        guard case .reader = joining else { return Joined(joining: joining, opening: stream.opening, expiry: nil) }
        ended.remove(key)
        return Joined(joining: joining, opening: stream.opening, expiry: stream.takeExpiry())
    }

    mutating func read(
        _ key: Key, _ reader: Int, _ wake: @escaping Wake
    ) -> (reading: DetachedStream.Reading, writer: Wake?) {
        guard var stream = streams.removeValue(forKey: key) else { return (.end(.broken), nil) }
        defer { streams[key] = stream }
        return stream.read(reader, wake)
    }

    /// - Parameter expiry: called when nothing is to follow from the disconnect of the last reader any more.
    /// - Returns: the writer to be woken; and, for the last reader, what ``expire(_:after:)`` takes.
    mutating func leave(_ key: Key, _ reader: Int, _ expiry: @escaping Wake) -> (writer: Wake?, disconnect: Int?) {
        guard var stream = streams.removeValue(forKey: key) else { return (nil, nil) }
        disconnects += 1
        let writer = stream.leave(reader, disconnects, expiry)
        streams[key] = stream
        settle(key)
        return (writer, streams[key]?.disconnect)
    }

    // MARK: Other gateways

    /// What the store of several gateways is told.
    struct Shared {
        let after: Int
        let events: [[UInt8]]
        let dropped: Int
        let last: Int
        let end: DetachedStream.End?

        /// The end alone.
        var withoutEvents: Shared { Shared(after: last, events: [], dropped: dropped, last: last, end: end) }
    }

    /// - Returns: nil where there is no such stream any more.
    func share(_ key: Key, after event: Int) -> Shared? {
        guard let stream = streams[key] else { return nil }
        let (after, events) = stream.share(after: event)
        return Shared(
            after: after, events: events, dropped: stream.dropped, last: stream.last, end: stream.end)
    }

    /// The number of the newest event; nil where there is no such stream any more.
    func last(of key: Key) -> Int? { streams[key]?.last }

    /// Readers elsewhere count as one that is here.
    ///
    /// - Parameters:
    ///   - reader: its number; nil for one that begins now.
    ///   - event: the last one that the furthest of them has had.
    /// - Returns: its number, and whom to wake or what to cancel.
    mutating func follow(_ key: Key, _ reader: Int?, to event: Int) -> (reader: Int?, wakes: [Wake]) {
        if let reader {
            guard var stream = streams.removeValue(forKey: key) else { return (nil, []) }
            defer { streams[key] = stream }
            return (reader, [stream.move(reader, to: event)].compactMap(\.self))
        }
        guard let stream = streams[key], !stream.isDeleted, stream.end == nil else { return (nil, []) }
        let joined = join(key, after: min(max(event, stream.dropped), stream.last))
        guard case .reader(let number)? = joined?.joining else { return (nil, []) }
        return (number, [joined?.expiry].compactMap(\.self))
    }

    // MARK: Ends

    /// Nobody has come back since that disconnect.
    ///
    /// - Returns: as of ``delete(_:)``.
    mutating func expire(_ key: Key, after disconnect: Int) -> [Wake] {
        guard streams[key]?.disconnect == disconnect else { return [] }
        return delete(key)
    }

    /// Makes a stream unknown to clients. Who reads it has its end.
    ///
    /// - Returns: what ends the upstream's work, if it still goes on, and what cancels the stream's expiry.
    mutating func delete(_ key: Key) -> [Wake] {
        guard var stream = streams.removeValue(forKey: key) else { return [] }
        stream.isDeleted = true
        let wakes = [stream.takeStop(), stream.takeExpiry()].compactMap(\.self)
        streams[key] = stream
        settle(key)
        return wakes
    }

    /// As of ``delete(_:)``, for all of them.
    mutating func deleteAll() -> [Wake] { streams.keys.flatMap { delete($0) } }

    func has(_ key: Key) -> Bool { streams[key].map { !$0.isDeleted } ?? false }

    private mutating func settle(_ key: Key) {
        guard let stream = streams[key], stream.end != nil, !stream.hasReaders else { return }
        // What is deleted has no expiry.
        if stream.isDeleted { _ = forget(key) } else { ended.insert((), for: key) }
    }

    /// - Returns: what cancels its expiry.
    private mutating func forget(_ key: Key) -> Wake? {
        ended.remove(key)
        guard var stream = streams.removeValue(forKey: key) else { return nil }
        size -= stream.size
        return stream.takeExpiry()
    }
}
