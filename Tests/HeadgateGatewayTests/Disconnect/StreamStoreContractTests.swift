import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateStores

/// Contract of every store that several gateways share, for streams and hints.
@Suite(.serialized, .timeLimit(.minutes(10))) final class StreamStoreContractTests: Sendable {
    enum Kind: CaseIterable, Sendable {
        case memory
        case redis
    }

    private let group = EventLoopGroup(count: 1)
    private static let opening = ReplicatedStreamOpening(
        fields: Array("content-type: text/event-stream\r\n".utf8), dialect: 1, model: "ä\n\0m")

    deinit { group.stop() }

    /// One store and the objects it depends on.
    private struct Place: Sendable {
        let store: any StreamStore
        let loop: EventLoop
        var server: RedisServer?
        var counters: RedisCounterStore?

        func write(
            _ events: [String], after: Int, of name: StreamName, by writer: String = "0000000000000001",
            opens: Bool = false, dropped: Int = 0, isComplete: Bool? = nil
        ) async -> StreamShare.Result? {
            let share = StreamShare(
                writer: writer, opening: opens ? opening : nil, after: after, events: events.map { Array($0.utf8) },
                dropped: dropped, isComplete: isComplete, ttl: .seconds(600))
            return await withCheckedContinuation { continuation in
                loop.execute { [store] in store.write(share, of: name) { continuation.resume(returning: $0) } }
            }
        }

        func read(_ name: StreamName, after: Int, octets: Int = 1000, joins: Bool = false) async -> StreamAnswer? {
            let question = StreamQuestion(after: after, octets: octets, joins: joins)
            return await withCheckedContinuation { continuation in
                loop.execute { [store] in store.read(question, of: name) { continuation.resume(returning: $0) } }
            }
        }

        func forget(_ name: StreamName, by writer: String) async {
            await withCheckedContinuation { continuation in
                loop.execute { [store] in
                    store.forget(name, by: writer)
                    continuation.resume()
                }
            }
        }

        func stop(_ name: StreamName) async -> Bool? {
            await withCheckedContinuation { continuation in
                loop.execute { [store] in store.stop(name) { continuation.resume(returning: $0) } }
            }
        }
    }

    private func place(
        _ kind: Kind, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> Place {
        guard kind == .redis else { return Place(store: MemoryStreamStore(), loop: group.loops[0]) }
        let server = try RedisServer()
        var patience = RedisPatience()
        (patience.greeting, patience.reply) = (60_000_000_000, 60_000_000_000)
        let counters = RedisCounterStore(
            RedisAccess(RedisLocation(.socket(server.socket))), resolver: NameResolver(), group: group,
            patience: patience, report: report)
        counters.start()
        try #require(counters.waitUntilWorking(atMost: .seconds(120)))
        return Place(store: counters, loop: group.loops[0], server: server, counters: counters)
    }

    private func name(_ id: String) -> StreamName {
        StreamName(DetachedStreams.Key(id: id, owner: KeyDigest(of: "laptop".utf8)))
    }

    private func texts(_ answer: StreamAnswer?) -> [String]? {
        answer?.events.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: Kind.allCases)
    func eventsOfOneGatewayAreReadByAnother(_ kind: Kind) async throws {
        let (place, name) = (try place(kind), name("a"))
        #expect(await place.read(name, after: 0, joins: true) == .unknown)
        let nobody = StreamShare.Result.written(StreamReaders(had: nil, isStopped: false))
        #expect(await place.write(["a", "\0ä\r\n", "c"], after: 0, of: name, opens: true) == nobody)
        let joined = await place.read(name, after: 1, joins: true)
        #expect(joined?.opening == Self.opening && texts(joined) == ["\0ä\r\n", "c"])
        #expect(joined?.last == 3 && joined?.dropped == 0 && joined?.isComplete == nil && joined?.lives == true)
        // The share repeats one event and adds another.
        let there = StreamShare.Result.written(StreamReaders(had: 1, isStopped: false))
        #expect(await place.write(["c", "d"], after: 2, of: name, isComplete: true) == there)
        let rest = await place.read(name, after: 3)
        #expect(texts(rest) == ["d"] && rest?.isComplete == true && rest?.opening == nil)
        let all = await place.read(name, after: 4)
        #expect(texts(all) == [] && all?.last == 4)
    }

    @Test(arguments: Kind.allCases)
    func answersAreBounded(_ kind: Kind) async throws {
        let (place, name) = (try place(kind), name("a"))
        let events = (1...100).map { "event \($0)" }
        _ = await place.write(events, after: 0, of: name, opens: true)
        #expect(texts(await place.read(name, after: 0, octets: 0)) == [])
        #expect(texts(await place.read(name, after: 0, octets: 1)) == ["event 1"])
        #expect(texts(await place.read(name, after: 41, octets: 320)) == Array(events[41..<81]))
        #expect(texts(await place.read(name, after: 0, octets: 1 << 20)) == events)
    }

    @Test(arguments: Kind.allCases)
    func droppedEventsAreReported(_ kind: Kind) async throws {
        let (place, name) = (try place(kind), name("a"))
        _ = await place.write(["a", "b", "c"], after: 0, of: name, opens: true)
        _ = await place.write(["d"], after: 3, of: name, dropped: 2)
        let early = await place.read(name, after: 1)
        #expect(early?.dropped == 2 && texts(early) == [])
        #expect(texts(await place.read(name, after: 2)) == ["c", "d"])
        // No event before a gap is retained.
        _ = await place.write(["h"], after: 7, of: name, dropped: 7)
        let late = await place.read(name, after: 7)
        #expect(late?.dropped == 7 && late?.last == 8 && texts(late) == ["h"])
        #expect(texts(await place.read(name, after: 2)) == [])
    }

    @Test(arguments: Kind.allCases)
    func nameBelongsToOneWriterUntilItsEnd(_ kind: Kind) async throws {
        let (place, name) = (try place(kind), name("a"))
        let (one, other) = ("0000000000000001", "0000000000000002")
        #expect(await place.write(["a"], after: 0, of: name, by: one) == .unknown)
        _ = await place.write(["a"], after: 0, of: name, by: one, opens: true)
        #expect(await place.write(["x"], after: 0, of: name, by: other, opens: true) == .taken)
        #expect(texts(await place.read(name, after: 0)) == ["a"])
        _ = await place.write([], after: 1, of: name, by: one, isComplete: false)
        let begun = await place.write(["x", "y"], after: 0, of: name, by: other, opens: true)
        #expect(begun == .written(StreamReaders(had: nil, isStopped: false)))
        #expect(texts(await place.read(name, after: 0)) == ["x", "y"])
        #expect(await place.write(["b"], after: 1, of: name, by: one) == .taken)
    }

    @Test(arguments: Kind.allCases)
    func stoppedStreamIsUnknownToNewReaders(_ kind: Kind) async throws {
        let (place, name) = (try place(kind), name("a"))
        #expect(await place.stop(name) == false)
        _ = await place.write(["a"], after: 0, of: name, opens: true)
        #expect(await place.read(name, after: 0, joins: true)?.isKnown == true)
        #expect(await place.stop(name) == true)
        #expect(await place.stop(name) == false)
        #expect(await place.read(name, after: 0, joins: true) == .unknown)
        let told = await place.write(["the end"], after: 1, of: name, isComplete: false)
        guard case .written(let readers)? = told else {
            Issue.record("\(String(describing: told))")
            return
        }
        #expect(readers.isStopped)
        // A current reader receives the end.
        let end = await place.read(name, after: 1)
        #expect(texts(end) == ["the end"] && end?.isComplete == false)
    }

    @Test(arguments: Kind.allCases)
    func onlyTheWriterRemovesItsStream(_ kind: Kind) async throws {
        let (place, name) = (try place(kind), name("a"))
        _ = await place.write(["a"], after: 0, of: name, opens: true, isComplete: true)
        await place.forget(name, by: "0000000000000002")
        #expect(await place.read(name, after: 0, joins: true)?.isKnown == true)
        await place.forget(name, by: "0000000000000001")
        #expect(await place.read(name, after: 0, joins: true) == .unknown)
    }

    @Test(arguments: Kind.allCases)
    func namesAreOfOwnerAndRequest(_ kind: Kind) async throws {
        let place = try place(kind)
        _ = await place.write(["a"], after: 0, of: name("a"), opens: true)
        let other = StreamName(DetachedStreams.Key(id: "a", owner: KeyDigest(of: "other".utf8)))
        #expect(await place.read(other, after: 0, joins: true) == .unknown)
        #expect(await place.read(name("b"), after: 0, joins: true) == .unknown)
    }

    /// Requires a Redis server.
    @Test func streamsExpireAndTheirErrorsDoNotStopCounters() async throws {
        let (place, name) = (try place(.redis), name("a"))
        _ = await place.write(["a"], after: 0, of: name, opens: true)
        let keys = RedisScript.streamKeys(name.text)
        let (counters, server) = (try #require(place.counters), try #require(place.server))
        let left = await ask(server, keys.map { RedisCommand("PTTL", $0) })
        #expect(left.count == 2 && left.allSatisfy { (1...600_000).contains($0?.integer ?? 0) })
        // The key has a value of another type.
        _ = await ask(server, [RedisCommand("DEL", keys[0], keys[1]), RedisCommand("SET", keys[0], "x")])
        #expect(await place.write(["b"], after: 1, of: name) == nil)
        #expect(await place.read(name, after: 1) == nil && counters.isWorking)
        #expect(counters.refused == 1)
    }

    @Test func readersDoNotKeepAnEndedStreamForever() async throws {
        let (place, name) = (try place(.redis), name("a"))
        let (server, keys) = (try #require(place.server), RedisScript.streamKeys(name.text))
        let shortened = keys.map { RedisCommand("PEXPIRE", $0, "60000") }
        let asked = keys.map { RedisCommand("PTTL", $0) }
        _ = await place.write(["a"], after: 0, of: name, opens: true, isComplete: true)
        _ = await ask(server, shortened)
        _ = await place.read(name, after: 0)
        let kept = await ask(server, asked)
        #expect(kept.count == 2 && kept.allSatisfy { (60_001...600_000).contains($0?.integer ?? 0) })
        // The stream's own expiry is set to the past.
        _ = await ask(server, [RedisCommand("HSET", keys[0], "until", "1")] + shortened)
        _ = await place.read(name, after: 0)
        let over = await ask(server, asked)
        #expect(over.count == 2 && over.allSatisfy { (1...60_000).contains($0?.integer ?? 0) })
    }

    /// A request's counters queue behind the streams on the connection.
    @Test func pendingSharesAreBoundedAndRefusalsLogged() async throws {
        let lines = Locked<[String]>([])
        let place = try place(.redis) { line in lines.withLock { $0.append(line) } }
        let counters = try #require(place.counters)
        let (taken, names) = (Locked(0), (0..<100).map { name("\($0)") })
        let isAdmitted = await withCheckedContinuation { continuation in
            place.loop.execute {
                for name in names {
                    let share = StreamShare(
                        writer: "0000000000000001", opening: Self.opening, after: 0,
                        events: [[UInt8](repeating: 0x61, count: 64 << 10)], dropped: 0, isComplete: true,
                        ttl: .seconds(60))
                    counters.write(share, of: name) { if $0 != nil { taken.withLock { $0 += 1 } } }
                }
                counters.take([CounterClaim(subject: "key:a", isCounted: true, inFlight: 1)]) {
                    continuation.resume(returning: $0?.lease != nil)
                }
            }
        }
        // The bound is 4 MiB, and each share has 64 KiB.
        #expect(isAdmitted && taken.withLock(\.self) == 64 && counters.refused == 36)
        let said = lines.withLock { $0.filter { $0.contains("a stream is not shared with other gateways") } }
        #expect(said.count == 1, "\(said)")
        withExtendedLifetime(place) {}
    }

    /// Sends the commands on one connection, in their order.
    private func ask(_ server: RedisServer, _ commands: [RedisCommand]) async -> [RedisReply?] {
        let loop = group.loops[0]
        let access = RedisAccess(RedisLocation(.socket(server.socket)))
        let replies = Mailbox<RedisReply?>()
        let connection = Locked<LoopBound<RedisConnection>?>(nil)
        loop.execute {
            let own = RedisConnection(access, resolver: NameResolver(), on: loop) { _ in
                guard let own = connection.withLock(\.self)?.value, own.isUp else { return }
                for command in commands { own.call(command) { replies.post($0) } }
            }
            connection.withLock { $0 = LoopBound(own, on: loop) }
            own.start()
        }
        var all: [RedisReply?] = []
        while all.count < commands.count {
            guard let reply = try? await replies.next(timeout: .seconds(120), "a reply") else { break }
            all.append(reply)
        }
        // The connection and the box that holds it form a reference cycle.
        try? loop.performAndWait { connection.withLock { $0.take() }?.value.stop() }
        return all
    }

    // MARK: Hints

    private func exchange(_ hints: RedisBreakerHints, _ own: [BreakerHint]) async -> [BreakerHint]? {
        await withCheckedContinuation { continuation in
            group.loops[0].execute { hints.exchange(own) { continuation.resume(returning: $0) } }
        }
    }

    @Test func gatewaysShareBreakerHintsAndTheirEnds() async throws {
        // The server runs as long as `place` exists.
        let place = try place(.redis)
        let counters = try #require(place.counters)
        let (one, other) = (RedisBreakerHints(counters), RedisBreakerHints(counters))
        let minute: UInt64 = 60_000_000_000
        let hint = BreakerHint(upstream: "ä", model: "m:1", remaining: minute)
        #expect(await exchange(one, [hint]) == [])
        let heard = try #require(await exchange(other, []))
        #expect(heard.map(\.upstream) == ["ä"] && heard.map(\.model) == ["m:1"])
        #expect(heard.allSatisfy { $0.remaining <= minute && $0.remaining > 0 })
        // A gateway never receives its own hints, and a hint that is not repeated is over.
        #expect(await exchange(one, []) == [])
        #expect(await exchange(other, []) == [])
        // A hint whose time has run out is dropped too.
        _ = await exchange(one, [BreakerHint(upstream: "a", model: "m", remaining: 1_000_000)])
        try await until { await self.exchange(other, []) == [] }
        withExtendedLifetime(place) {}
    }
}

extension StreamStoreContractTests.Kind: CustomTestStringConvertible {
    var testDescription: String { self == .memory ? "memory" : "Redis" }
}
