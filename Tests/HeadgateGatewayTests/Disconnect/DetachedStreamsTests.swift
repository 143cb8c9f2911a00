import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Retained parts of streams whose clients disconnected.
@Suite struct DetachedStreamsTests {
    private static let limits = StreamsConfiguration(
        buffer: 1000 + DetachedStream.cost, memory: 2000 + 3 * DetachedStream.cost)
    private static let key = key("one")

    private static func key(_ id: String, owner: String = "laptop") -> DetachedStreams.Key {
        DetachedStreams.Key(id: id, owner: KeyDigest(of: owner.utf8))
    }

    private let stopped = Locked(0)

    private func begin(_ streams: inout DetachedStreams, _ key: DetachedStreams.Key = key) -> Int? {
        let stopped = stopped
        let head = ServerResponseHead(HTTPResponse(status: .ok))
        let opening = DetachedStream.Opening(head: head, dialect: .openAI, model: "m") { stopped.withLock { $0 += 1 } }
        let begun = streams.begin(key, opening)
        begun?.expiry?()
        return begun?.reader
    }

    /// Appends `count` events of 100 bytes each.
    private func append(
        _ count: Int, to streams: inout DetachedStreams, _ key: DetachedStreams.Key = key,
        wake: @escaping @Sendable () -> Void = {}
    ) -> DetachedStreams.Room {
        let event = [UInt8](repeating: 7, count: 100 - DetachedStream.overhead)
        let result = streams.append(
            Array(repeating: event, count: count), to: key, Self.limits, whenThereIsRoom: wake)
        for wake in result.wakes { wake() }
        return result.room
    }

    /// Returns the number of events read.
    private func read(_ reader: Int, of streams: inout DetachedStreams, _ key: DetachedStreams.Key = key) -> Int? {
        let (reading, writer) = streams.read(key, reader) {}
        writer?()
        guard case .events(let events) = reading else { return nil }
        return events.count / (100 - DetachedStream.overhead)
    }

    private func join(_ streams: inout DetachedStreams, after event: Int) -> DetachedStream.Joining? {
        streams.join(Self.key, after: event)?.joining
    }

    @Test func resumingReaderGetsTheRestAndTheEnd() throws {
        var streams = DetachedStreams()
        let first = try #require(begin(&streams))
        #expect(append(3, to: &streams) == .free && read(first, of: &streams) == 3)
        _ = streams.leave(Self.key, first) {}
        #expect(append(2, to: &streams) == .free)
        guard case .reader(let second)? = join(&streams, after: 2) else { throw NoReader() }
        #expect(read(second, of: &streams) == 3 && read(second, of: &streams) == nil)
        _ = streams.finish(Self.key, .complete)
        #expect(streams.read(Self.key, second) {}.reading == .end(.complete))
    }

    private struct NoReader: Error {}

    @Test func severalReadersCanReadConcurrently() throws {
        var streams = DetachedStreams()
        let first = try #require(begin(&streams))
        guard case .reader(let second)? = join(&streams, after: 0) else { throw NoReader() }
        #expect(append(2, to: &streams) == .free)
        #expect(read(first, of: &streams) == 2 && read(second, of: &streams) == 2)
    }

    @Test func waitingReaderIsWoken() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        let woken = Locked(0)
        _ = streams.read(Self.key, reader) { woken.withLock { $0 += 1 } }
        _ = append(1, to: &streams)
        _ = append(1, to: &streams)
        #expect(woken.withLock { $0 } == 1)
    }

    @Test func positionIsOneOfTheStreams() throws {
        var streams = DetachedStreams()
        _ = try #require(begin(&streams))
        _ = append(3, to: &streams)
        #expect(join(&streams, after: 4) == .unknown(last: 3))
        _ = streams.finish(Self.key, .complete)
        #expect(join(&streams, after: 3) == .over)
        #expect(streams.join(Self.key("one", owner: "other"), after: 0) == nil)
        #expect(streams.join(Self.key("two"), after: 0) == nil)
    }

    @Test func deliveredEventsMakeRoom() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        for _ in 0..<100 {
            #expect(append(1, to: &streams) == .free)
            _ = read(reader, of: &streams)
            // Acknowledges the events read so far.
            _ = read(reader, of: &streams)
        }
        #expect(streams.size <= Self.limits.buffer)
        guard case .dropped(let first)? = join(&streams, after: 0) else { throw NoReader() }
        #expect(first > 90)
        guard case .reader? = join(&streams, after: first - 1) else { throw NoReader() }
    }

    @Test func slowReaderHoldsUpTheWriter() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        let woken = Locked(0)
        #expect(append(10, to: &streams) == .free)
        #expect(append(1, to: &streams) { woken.withLock { $0 += 1 } } == .later)
        #expect(read(reader, of: &streams) == 11 && woken.withLock { $0 } == 0)
        #expect(read(reader, of: &streams) == nil && woken.withLock { $0 } == 1)
    }

    @Test func slowReaderDelaysNoOtherReader() throws {
        var streams = DetachedStreams()
        let slow = try #require(begin(&streams))
        guard case .reader(let fast)? = join(&streams, after: 0) else { throw NoReader() }
        #expect(append(1, to: &streams) == .free && read(slow, of: &streams) == 1)
        for _ in 0..<100 {
            #expect(append(1, to: &streams) == .free)
            while read(fast, of: &streams) != nil {}
        }
        #expect(streams.size <= Self.limits.buffer)
        guard case .dropped(let first) = streams.read(Self.key, slow, {}).reading else { throw NoReader() }
        #expect(first > 90)
    }

    @Test func writerWaitsWhileAllReadersLag() throws {
        var streams = DetachedStreams()
        let first = try #require(begin(&streams))
        guard case .reader(let second)? = join(&streams, after: 0) else { throw NoReader() }
        let woken = Locked(0)
        #expect(append(11, to: &streams) { woken.withLock { $0 += 1 } } == .later)
        #expect(read(first, of: &streams) == 11)
        streams.leave(Self.key, first, {}).writer?()
        #expect(woken.withLock { $0 } == 0 && read(second, of: &streams) == 11)
        #expect(read(second, of: &streams) == nil && woken.withLock { $0 } == 1)
        #expect(append(1, to: &streams) == .free && streams.size <= Self.limits.buffer)
    }

    @Test func unreadFullBufferAcceptsNoMore() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        #expect(append(4, to: &streams) == .free && read(reader, of: &streams) == 4)
        let left = streams.leave(Self.key, reader) {}
        #expect(left.disconnect == 1)
        #expect(append(6, to: &streams) == .free && streams.size == Self.limits.buffer)
        #expect(append(1, to: &streams) == .none && streams.size == Self.limits.buffer)
        _ = streams.finish(Self.key, .broken, saying: [1, 2])
        guard case .reader(let second)? = join(&streams, after: 4) else { throw NoReader() }
        guard case .events(let events) = streams.read(Self.key, second, {}).reading else { throw NoReader() }
        #expect(events.count == 6 * (100 - DetachedStream.overhead) + 2)
    }

    @Test func departureUnblocksTheWriter() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        let woken = Locked(0)
        #expect(append(11, to: &streams) { woken.withLock { $0 += 1 } } == .later)
        streams.leave(Self.key, reader, {}).writer?()
        #expect(woken.withLock { $0 } == 1 && append(1, to: &streams) == .none)
    }

    @Test func endedStreamsAreEvictedFirst() throws {
        var streams = DetachedStreams()
        let names = ["a", "b", "c"]
        for name in names {
            let reader = try #require(begin(&streams, Self.key(name)))
            #expect(append(9, to: &streams, Self.key(name)) == .free)
            _ = streams.leave(Self.key(name), reader) {}
            _ = streams.finish(Self.key(name), .complete)
        }
        #expect(streams.size == 1800 + 2 * DetachedStream.cost && streams.count == 2)
        #expect(!streams.has(Self.key("a")) && streams.has(Self.key("b")) && streams.has(Self.key("c")))
    }

    @Test func memoryOfAllBoundsEach() throws {
        var streams = DetachedStreams()
        for name in ["a", "b", "c"] {
            let reader = try #require(begin(&streams, Self.key(name)))
            _ = streams.leave(Self.key(name), reader) {}
        }
        #expect(append(9, to: &streams, Self.key("a")) == .free)
        #expect(append(9, to: &streams, Self.key("b")) == .free)
        #expect(append(3, to: &streams, Self.key("c")) == .none)
        #expect(streams.size == 1800 + 3 * DetachedStream.cost)
    }

    @Test func abandonedStreamExpires() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        let disconnect = try #require(streams.leave(Self.key, reader, {}).disconnect)
        guard case .reader(let second)? = join(&streams, after: 0) else { throw NoReader() }
        #expect(streams.deleteExpired(Self.key, after: disconnect).isEmpty && streams.has(Self.key))
        let last = try #require(streams.leave(Self.key, second, {}).disconnect)
        for wake in streams.deleteExpired(Self.key, after: last) { wake() }
        #expect(stopped.withLock { $0 } == 1 && !streams.has(Self.key))
        _ = streams.finish(Self.key, .broken)
        #expect(streams.count == 0 && streams.size == 0)
    }

    @Test func departureFromAnEarlierStreamWithTheSameIDIsIgnored() throws {
        var streams = DetachedStreams()
        let first = try #require(begin(&streams))
        let earlier = try #require(streams.leave(Self.key, first, {}).disconnect)
        _ = streams.finish(Self.key, .complete)
        let second = try #require(begin(&streams))
        let disconnect = try #require(streams.leave(Self.key, second, {}).disconnect)
        #expect(streams.deleteExpired(Self.key, after: earlier).isEmpty && streams.has(Self.key))
        for wake in streams.deleteExpired(Self.key, after: disconnect) { wake() }
        #expect(stopped.withLock { $0 } == 1 && !streams.has(Self.key))
    }

    @Test func deletedStreamEndsAndIsGone() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        _ = append(1, to: &streams)
        for wake in streams.delete(Self.key) { wake() }
        #expect(stopped.withLock { $0 } == 1 && join(&streams, after: 0) == nil && streams.count == 1)
        _ = streams.finish(Self.key, .broken)
        #expect(read(reader, of: &streams) == 1)
        #expect(streams.read(Self.key, reader) {}.reading == .end(.broken))
        #expect(streams.leave(Self.key, reader, {}).disconnect == nil)
        #expect(streams.count == 0 && streams.size == 0 && streams.delete(Self.key).isEmpty)
    }

    private final class Request: Sendable {}

    @Test func endedStreamReleasesItsRequest() {
        var streams = DetachedStreams()
        weak var request: Request?
        do {
            let held = Request()
            request = held
            let opening = DetachedStream.Opening(
                head: ServerResponseHead(HTTPResponse(status: .ok)), dialect: .openAI, model: "m"
            ) { withExtendedLifetime(held) {} }
            _ = streams.begin(Self.key, opening)
        }
        #expect(request != nil)
        _ = streams.finish(Self.key, .complete)
        #expect(request == nil && streams.count == 1)
    }

    @Test func streamsOfFewEventsTakeMemoryToo() throws {
        var streams = DetachedStreams()
        let cancelled = Locked(0)
        for number in 0..<100 {
            let key = Self.key("\(number)")
            let reader = try #require(begin(&streams, key))
            #expect(append(1, to: &streams, key) == .free)
            _ = streams.leave(key, reader) { cancelled.withLock { $0 += 1 } }
            _ = streams.finish(key, .complete)
        }
        #expect(streams.count == 3 && streams.size == 3 * (DetachedStream.cost + 100))
        #expect(cancelled.withLock { $0 } == 97)
    }

    @Test func expiryIsCancelledWhenNoLongerNeeded() throws {
        var streams = DetachedStreams()
        let cancelled = Locked(0)
        let cancel: @Sendable () -> Void = { cancelled.withLock { $0 += 1 } }
        let first = try #require(begin(&streams))
        _ = streams.leave(Self.key, first, cancel)
        let found = streams.join(Self.key, after: 0)
        let joined = try #require(found)
        joined.expiry?()
        guard case .reader(let second) = joined.joining else { throw NoReader() }
        #expect(cancelled.withLock { $0 } == 1)
        _ = streams.leave(Self.key, second, cancel)
        _ = streams.finish(Self.key, .complete)
        let third = try #require(begin(&streams))
        #expect(cancelled.withLock { $0 } == 2)
        _ = streams.leave(Self.key, third, cancel)
        for wake in streams.delete(Self.key) { wake() }
        #expect(cancelled.withLock { $0 } == 3 && stopped.withLock { $0 } == 1)
    }

    @Test func idOfARunningStreamIsTaken() throws {
        var streams = DetachedStreams()
        let reader = try #require(begin(&streams))
        #expect(begin(&streams) == nil && begin(&streams, Self.key("one", owner: "other")) != nil)
        _ = streams.finish(Self.key, .complete)
        _ = streams.leave(Self.key, reader) {}
        #expect(begin(&streams) != nil)
    }
}
