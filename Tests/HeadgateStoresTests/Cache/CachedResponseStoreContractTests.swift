import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateStores

/// Contract of every store of cached responses: a folder, and a real Redis server.
@Suite(.serialized) struct CachedResponseStoreContractTests {
    enum Place: CaseIterable {
        case folder, redis
    }

    private static let second: Int64 = 1_000_000_000

    private func key(_ number: Int) -> CacheKey { CacheKey(KeyDigest(of: Array("\(number)".utf8))) }

    private func response(_ text: String, at now: Int64 = 10, ttl: Int64 = 60) -> CachedResponse {
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]))
        return CachedResponse(
            head: CachedHead(response: head, hasRequestID: false, isDocument: true),
            chunks: [CoalescedResponse.Chunk(bytes: Array(text.utf8), offset: 0)],
            storedAt: now * Self.second, expiresAt: (now + ttl) * Self.second)
    }

    private func found(
        _ numbers: Int..., in store: any CachedResponseStore, at now: Int64 = 10, maximumAge: Int64? = nil
    ) async -> String? {
        let keys = numbers.map(key)
        return await withCheckedContinuation { continuation in
            store.find(keys, at: now * Self.second, maximumAge: maximumAge.map { $0 * Self.second }) { found in
                continuation.resume(
                    returning: found.map { String(decoding: $0.response.chunks.flatMap(\.bytes), as: UTF8.self) })
            }
        }
    }

    private func withStore(
        in place: Place, _ body: (any CachedResponseStore) async throws -> Void
    ) async throws {
        switch place {
        case .folder:
            let scratch = Scratch()
            let store = try CacheFolder(scratch.path, limit: 8 << 20, now: { 10 * Self.second }, report: { _ in })
            try await body(store)
            store.close()
        case .redis: try await RedisCacheFixture.with { fixture in try await body(fixture.store) }
        }
    }

    @Test(arguments: Place.allCases) func entryIsFoundOnlyUnderItsKey(_ place: Place) async throws {
        try await withStore(in: place) { store in
            for number in 0..<3 { store.keep(response("A\(number)"), as: key(number)) }
            // A stored response is found some moments later.
            try await until { await found(2, in: store) == "A2" }
            #expect(await found(1, in: store) == "A1")
            #expect(await found(7, in: store) == nil)
            #expect(await found(7, 2, in: store) == "A2")
            #expect(await found(2, 1, in: store) == "A2")
        }
    }

    @Test(arguments: Place.allCases) func laterResponseReplacesTheEarlier(_ place: Place) async throws {
        try await withStore(in: place) { store in
            store.keep(response("old"), as: key(0))
            store.keep(response("new"), as: key(0))
            try await until { await found(0, in: store) == "new" }
        }
    }

    @Test(arguments: Place.allCases) func ageIsCheckedOnReading(_ place: Place) async throws {
        try await withStore(in: place) { store in
            store.keep(response("A"), as: key(0))
            try await until { await found(0, in: store) == "A" }
            #expect(await found(0, in: store, at: 20, maximumAge: 10) == nil)
            #expect(await found(0, in: store, at: 20, maximumAge: 11) == "A")
            #expect(await found(0, in: store, at: 70) == nil)
        }
    }

    @Test(arguments: Place.allCases) func longResponseIsReadBackWhole(_ place: Place) async throws {
        let text = String((0..<200_000).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
        try await withStore(in: place) { store in
            store.keep(response(text), as: key(0))
            // A long response is written off the loop, and found a little later.
            try await until { await found(0, in: store) == text }
        }
    }
}
