internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Streams that continue without their clients, of all loops; pure.
///
/// Together they take no more than the configured memory, plus one event or one read for each stream that a client is
/// reading.
package struct DetachedStreams: Sendable {
    typealias Wake = DetachedStream.Wake

    /// Key of a stream: only the caller that began it can reach it.
    struct Key: Hashable, Sendable {
        /// Id of the request.
        let id: String
        let owner: KeyDigest
    }

    enum Room: Equatable {
        case free
        /// The writer waits until a reader has received all events.
        case later
        /// The events do not fit and no one reads the stream: none of them was added.
        case none
    }

    private var streams: [Key: DetachedStream] = [:]
    /// Ended streams without readers, in the order in which they became so.
    private var ended = RecencyList<Key, Void>()
    /// Memory of all streams, in bytes.
    private(set) var size = 0
    /// Number of the newest disconnect. It counts across all streams, because a stream can reuse the id of a removed
    /// one.
    private var disconnects = 0

    package init() {}

    var count: Int { streams.count }

    // MARK: The writer

    /// - Returns: the number of the first reader, and a callback that cancels the expiry of an ended stream with that
    ///   id. Nil while a stream with that id continues or is read.
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

    /// - Parameter wake: called once there is room again, if the room is `later`.
    /// - Returns: the callbacks to call, and the room.
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
            // Free its space in the store too: the gateways' memory limits then bound the store.
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
        /// Callbacks to call.
        var wakes: [Wake] = []
        /// Callback that would have stopped the stream, to be released outside of the lock.
        var stop: Wake?
        /// Part that was not sent to a store yet.
        var rest: Shared?
    }

    /// Ends a stream. Its last event is added regardless of the limits.
    ///
    /// - Parameter position: event after which the rest is sent to a store; nil without a store.
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

    /// - Returns: nil if there is no such stream.
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

    /// - Parameter expiry: cancels the expiry that follows the disconnect of the last reader.
    /// - Returns: the writer to wake, and, for the last reader, the disconnect for ``deleteExpired(_:after:)``.
    mutating func leave(_ key: Key, _ reader: Int, _ expiry: @escaping Wake) -> (writer: Wake?, disconnect: Int?) {
        guard var stream = streams.removeValue(forKey: key) else { return (nil, nil) }
        disconnects += 1
        let writer = stream.leave(reader, disconnects, expiry)
        streams[key] = stream
        settle(key)
        return (writer, streams[key]?.disconnect)
    }

    // MARK: Other gateways

    /// Part of a stream for the store of several gateways.
    struct Shared {
        let after: Int
        let events: [[UInt8]]
        let dropped: Int
        let last: Int
        let end: DetachedStream.End?

        /// Copy with the end, but without events.
        var withoutEvents: Shared { Shared(after: last, events: [], dropped: dropped, last: last, end: end) }
    }

    /// - Returns: nil if the stream no longer exists.
    func share(_ key: Key, after event: Int) -> Shared? {
        guard let stream = streams[key] else { return nil }
        let (after, events) = stream.share(after: event)
        return Shared(
            after: after, events: events, dropped: stream.dropped, last: stream.last, end: stream.end)
    }

    /// Returns the number of the newest event; nil if the stream no longer exists.
    func last(of key: Key) -> Int? { streams[key]?.last }

    /// Follows the readers at other gateways, which count as one reader here.
    ///
    /// - Parameters:
    ///   - reader: number of that reader; nil to let it join now.
    ///   - event: the last event that the furthest reader there has received.
    /// - Returns: the reader's number, nil if it cannot join, and the callbacks to call.
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

    /// Deletes a stream if no client has resumed it since that disconnect.
    ///
    /// - Returns: the callbacks, as ``delete(_:)`` does.
    mutating func deleteExpired(_ key: Key, after disconnect: Int) -> [Wake] {
        guard streams[key]?.disconnect == disconnect else { return [] }
        return delete(key)
    }

    /// Makes a stream unknown to clients. Current readers still get its end.
    ///
    /// - Returns: callbacks that end the upstream's work, if it continues, and cancel the stream's expiry.
    mutating func delete(_ key: Key) -> [Wake] {
        guard var stream = streams.removeValue(forKey: key) else { return [] }
        stream.isDeleted = true
        let wakes = [stream.takeStop(), stream.takeExpiry()].compactMap(\.self)
        streams[key] = stream
        settle(key)
        return wakes
    }

    /// Deletes all streams, and returns the callbacks as ``delete(_:)`` does.
    mutating func deleteAll() -> [Wake] { streams.keys.flatMap { delete($0) } }

    func has(_ key: Key) -> Bool { streams[key].map { !$0.isDeleted } ?? false }

    private mutating func settle(_ key: Key) {
        guard let stream = streams[key], stream.end != nil, !stream.hasReaders else { return }
        // A deleted stream has no expiry.
        if stream.isDeleted { _ = forget(key) } else { ended.insert((), for: key) }
    }

    /// - Returns: a callback that cancels the stream's expiry.
    private mutating func forget(_ key: Key) -> Wake? {
        ended.remove(key)
        guard var stream = streams.removeValue(forKey: key) else { return nil }
        size -= stream.size
        return stream.takeExpiry()
    }
}
