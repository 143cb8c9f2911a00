import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateStores

/// Behavior specific to cached responses in a Redis server.
@Suite(.serialized) struct RedisCacheStoreTests {
    private let key = CacheKey(KeyDigest(of: Array("question".utf8)))
    private let other = CacheKey(KeyDigest(of: Array("another".utf8)))
    private var name: String { RedisCache.name(of: key) }

    private func response(_ text: String, ttl: Int64 = 60) -> CachedResponse {
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]))
        return CachedResponse(
            head: CachedHead(response: head, hasRequestID: false, isDocument: true),
            chunks: [CoalescedResponse.Chunk(bytes: Array(text.utf8), offset: 0)],
            storedAt: 10_000_000_000, expiresAt: (10 + ttl) * 1_000_000_000)
    }

    private func found(_ fixture: RedisCacheFixture, _ keys: CacheKey...) async -> String? {
        await withCheckedContinuation { continuation in
            fixture.store.find(keys, at: 10_000_000_000, maximumAge: nil) { found in
                continuation.resume(
                    returning: found.map { String(decoding: $0.response.chunks.flatMap(\.bytes), as: UTF8.self) })
            }
        }
    }

    @Test func entryIsNamedByADigestAndExpires() async throws {
        try await RedisCacheFixture.with { fixture in
            fixture.store.keep(response("A"), as: key)
            #expect(await found(fixture, key) == "A")
            #expect(await fixture.ask(RedisCommand("KEYS", "*")) == .list([.bytes(Array(name.utf8))]))
            #expect(name == "headgate:cache:" + key.digest.hexadecimal)
            let left = await fixture.ask(RedisCommand("PTTL", name))?.integer ?? -1
            #expect((1...60_000).contains(left))
        }
    }

    @Test func hostileEntryIsAMissAndCounted() async throws {
        try await RedisCacheFixture.with { fixture in
            let whole = response("A").file(for: key)
            var changed = whole
            changed[whole.count - 1] ^= 1
            let entries = [
                [], Array("x".utf8), Array(whole.dropLast()), changed, response("A").file(for: other),
                whole + [0], [UInt8](repeating: 0xFF, count: RedisCache.largest + 1),
            ]
            for (index, bytes) in entries.enumerated() {
                var command = RedisCommand("SET", name)
                command.append(bytes)
                #expect(await fixture.ask(command) == .status("OK"))
                #expect(await found(fixture, key) == nil)
                #expect(fixture.store.health?.damaged == index + 1)
            }
            // A value of another type counts as missing, and the other form is found after it.
            _ = await fixture.ask(RedisCommand("DEL", name))
            _ = await fixture.ask(RedisCommand("RPUSH", name, "x"))
            fixture.store.keep(response("B"), as: other)
            #expect(await found(fixture, key, other) == "B")
            #expect(fixture.store.health?.isWorking == true)
        }
    }

    @Test func responseAboveTheLimitIsNotStored() async throws {
        try await RedisCacheFixture.with { fixture in
            fixture.store.keep(response(String(repeating: "a", count: RedisCache.largest + 1)), as: key)
            fixture.store.keep(response("B"), as: other)
            #expect(await found(fixture, key, other) == "B")
            #expect(await fixture.ask(RedisCommand("DBSIZE"))?.integer == 1)
        }
    }

    @Test func rejectingServerIsReportedOnceWithoutContent() async throws {
        try await RedisCacheFixture.with { fixture in
            _ = await fixture.ask(RedisCommand("CONFIG", "SET", "maxmemory", "1"))
            for _ in 0..<3 { fixture.store.keep(response("secret"), as: key) }
            #expect(await found(fixture, key) == nil)
            #expect(fixture.store.health?.lost == 3 && fixture.store.health?.isWorking == true)
            #expect(fixture.reports.all.count == 1 && fixture.reports.all[0].hasSuffix("the server refuses it (OOM)"))
            _ = await fixture.ask(RedisCommand("CONFIG", "SET", "maxmemory", "0"))
            fixture.store.keep(response("A"), as: key)
            #expect(await found(fixture, key) == "A")
            // The store's clock is stopped, so the end of the outage is not reported.
            #expect(fixture.reports.all.count == 1)
        }
    }

    @Test func hangingServerIsAwaitedOnlyOnce() async throws {
        try await RedisCacheFixture.with(patience: RedisPatience()) { fixture in
            fixture.server.pause()
            #expect(await found(fixture, key) == nil)
            try await until { fixture.store.health?.isWorking == false }
            #expect(fixture.reports.all.first?.contains("no answer is found there, and none is kept") == true)
            // A call on the loop completes before it returns, without a wait.
            let (answered, asked) = (Locked(false), Latch())
            let (store, key) = (fixture.store, key)
            fixture.group.loops[0].execute {
                store.find([key], at: 0, maximumAge: nil) { found in answered.withLock { $0 = found == nil } }
                asked.open()
            }
            asked.wait()
            #expect(answered.withLock { $0 })
            fixture.server.goOn()
            try await until { fixture.store.health?.isWorking == true }
        }
    }
}
