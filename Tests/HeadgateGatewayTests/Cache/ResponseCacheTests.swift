import HTTPTypes
import HeadgateDialects
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Contents, lifetimes and bounds of the response cache.
@Suite struct ResponseCacheTests {
    private static let head = CachedHead(
        response: ServerResponseHead(HTTPResponse(status: .ok)), hasRequestID: false, isDocument: true)

    private func key(_ text: String, scope: String = "a", form: CacheForm = .document) throws -> CacheKey {
        CacheKeys(
            operation: "createChatCompletion", scope: scope, targets: ["up", "m"],
            try CacheableRequest(Array(text.utf8))
        ).key(of: form)
    }

    private func entry(_ octets: Int, at now: Int64 = 0, ttl: Int64 = 1000) -> CachedResponse {
        CachedResponse(
            head: Self.head, chunks: [CoalescedResponse.Chunk(bytes: Array(repeating: 0, count: octets), offset: 0)],
            storedAt: now, expiresAt: now + ttl)
    }

    private func isHit(_ cache: inout ResponseCache, _ key: CacheKey, at now: Int64 = 1, maximumAge: Int64? = nil)
        -> Bool
    {
        guard case .hit = cache.begin(key, at: now, maximumAge: maximumAge, limit: 1 << 20) else { return false }
        return true
    }

    // MARK: Keys

    @Test(arguments: [
        #"{"messages":[{"content":"hi","role":"user"}],"model":"m"}"#,
        #"{ "model": "m", "messages": [ {"role":"user", "content":"\u0068i"} ] }"#,
        #"{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{},"user":"x"}"#,
    ])
    func sameRequestHasTheSameKey(_ text: String) throws {
        let same = try key(#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#)
        #expect(try key(text) == same)
        #expect(try key(text, scope: "b") != same)
        #expect(try key(text, form: .stream) != same)
    }

    @Test(arguments: [
        #"{"model":"m","messages":[{"role":"user","content":"Hi"}]}"#,
        #"{"model":"m","messages":[{"role":"user","content":"hi"}],"seed":1}"#,
        #"{"model":"m","messages":[{"role":"user","content":"hi","user":"x"}]}"#,
        #"{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"user","content":"hi"}]}"#,
        #"{"model":"m","messages":[{"role":"user","content":"hi"}],"stream_options":{"include_obfuscation":false}}"#,
    ])
    func otherRequestHasAnotherKey(_ text: String) throws {
        #expect(try key(text) != key(#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#))
    }

    @Test(arguments: [
        #"{"system":"x-anthropic-billing-header: cch=TURN;\nBe brief.","messages":[]}"#,
        #"{"system":[{"type":"text","text":"x-anthropic-billing-header: cch=TURN;"},{"text":"Be brief."}]}"#,
        #"{"instructions":"x-anthropic-billing-header: cch=TURN;\nBe brief."}"#,
        #"{"messages":[{"role":"system","content":"x-anthropic-billing-header: cch=TURN;\nBe brief."}]}"#,
        #"{"client_metadata":{"turn_id":"TURN"},"input":[{"role":"user","metadata":{"turn_id":"TURN"}}]}"#,
        #"{"diagnostics":{"previous_message_id":"TURN"}}"#,
        #"{"input":[{"type":"message","internal_chat_message_metadata_passthrough":{"turn_id":"TURN"}}]}"#,
    ])
    func agentNotesAreNotPartOfTheKey(_ text: String) throws {
        #expect(try key(text.replacing("TURN", with: "1")) == key(text.replacing("TURN", with: "2")))
        #expect(try key(text.replacing("Be brief.", with: "")) != key(#"{"seed":1}"#))
    }

    @Test(arguments: [
        (#"{}"#, true), (#"{"store":true}"#, false), (#"{"store":false}"#, true), (#"{"temperature":0}"#, true),
        (#"{"temperature":0.1}"#, false), (#"{"previous_response_id":"r"}"#, false),
        (#"{"previous_response_id":null}"#, true), (#"{"conversation":{"id":"c"}}"#, false),
        (#"{"background":true}"#, false), (#"{"background":false}"#, true),
        (#"{"mcp_servers":[{"url":"https://x.example"}]}"#, false), (#"{"container":"c"}"#, false),
        (#"{"tools":[{"type":"web_search"}]}"#, false), (#"{"tools":[{"type":"function"}]}"#, true),
        (#"{"messages":[{"content":"\ud800"}]}"#, false), (#"{"a":{"\ud801":1}}"#, false),
        (#"{"messages":[{"content":"\ud83d\ude00"}]}"#, true),
    ])
    func onlyDeterministicRequestsAreCached(_ text: String, _ isKept: Bool) throws {
        let request = try CacheableRequest(Array(text.utf8))
        #expect(request.mayBeCached(storesUnlessTold: false, anyTemperature: false) == isKept)
    }

    @Test func modelsCanAllowAnyTemperatureAndStoredRequestsAreNotCached() throws {
        let warm = try CacheableRequest(Array(#"{"temperature":1}"#.utf8))
        #expect(warm.mayBeCached(storesUnlessTold: false, anyTemperature: true))
        let stored = try CacheableRequest(Array("{}".utf8))
        #expect(!stored.mayBeCached(storesUnlessTold: true, anyTemperature: false))
    }

    @Test(arguments: ["user", "metadata", "safety_identifier", "prompt_cache_key"])
    func callerIsPartOfTheKeyIfTheResponseRepeatsIt(_ member: String) throws {
        func normalized(_ text: String, isEchoed: Bool) throws -> [UInt8] {
            try CacheableRequest(Array(text.utf8), isEchoed: isEchoed).normalized.bytes
        }
        let (first, second) = (#"{"\#(member)":"a"}"#, #"{"\#(member)":"b"}"#)
        #expect(try normalized(first, isEchoed: true) != normalized(second, isEchoed: true))
        #expect(try normalized(first, isEchoed: false) == normalized(second, isEchoed: false))
    }

    @Test func directivesAreReadWhateverTheirForm() {
        #expect(CacheControl(nil) == CacheControl(""))
        #expect(CacheControl("No-Store, max-age=7").isOff && CacheControl("max-age = 7 ").maximumAge == 7)
        #expect(CacheControl("no-cache").isFresh && !CacheControl("no-cached").isFresh)
        #expect(CacheControl("max-age=9223372036854775807").maximumAge == 1 << 31)
        #expect(CacheControl("max-age=-5").maximumAge == 0)
        #expect(CacheControl("max-age=2147483647").maximumAge == (1 << 31) - 1)
        #expect(CacheControl("max-age=x").maximumAge == 0 && CacheControl("max-age=\"60\"").maximumAge == 60)
    }

    // MARK: Entries

    @Test func entryIsAHitUntilItExpires() throws {
        var cache = ResponseCache()
        let key = try key("{}")
        cache.insert(entry(10, ttl: 100), as: key, memory: 1 << 20)
        #expect(isHit(&cache, key, at: 99) && isHit(&cache, key, at: 99, maximumAge: 100))
        #expect(!isHit(&cache, key, at: 50, maximumAge: 50))
        var expired = cache
        #expect(!isHit(&expired, key, at: 100) && expired.count == 0 && expired.size == 0)
    }

    @Test func joinedEntryIsOneChunk() {
        func entry(_ texts: String...) -> CachedResponse {
            let chunks = texts.enumerated().map {
                CoalescedResponse.Chunk(bytes: Array($1.utf8), offset: UInt64($0 + 5))
            }
            return CachedResponse(head: Self.head, chunks: chunks, storedAt: 1, expiresAt: 2)
        }
        let joined = entry("ab", "c").joined
        #expect(joined.chunks == [CoalescedResponse.Chunk(bytes: Array("abc".utf8), offset: 0)])
        #expect(joined.storedAt == 1 && joined.expiresAt == 2 && joined.size == 3)
        #expect(entry("ab").joined.chunks == entry("ab").chunks && entry().joined.chunks.isEmpty)
        #expect(entry("ab", "c").weight - joined.weight == CoalescedResponse.Chunk.overhead)
    }

    @Test func expiredEntriesAreRemovedByOtherRequests() throws {
        var cache = ResponseCache()
        let keys = try (0..<160).map { try key(#"{"n":\#($0)}"#) }
        for (number, key) in keys.enumerated() {
            cache.insert(entry(10, ttl: number.isMultiple(of: 4) ? 1000 : 100), as: key, memory: 1 << 20)
        }
        let other = try key(#"{"other":1}"#)
        for _ in 0..<9 { #expect(!isHit(&cache, other, at: 99)) }
        #expect(cache.count == 160)
        var once = cache
        #expect(!isHit(&once, other, at: 100))
        #expect((144..<160).contains(once.count), "one request looks at sixteen")
        for _ in 0..<10 { #expect(!isHit(&cache, other, at: 100)) }
        #expect(cache.count == 40 && cache.size == 40 * entry(10).weight)
    }

    @Test func entryIsFreshFromItsInstantOnAndUpToAnAge() {
        let entry = entry(1, at: 10, ttl: 10)
        for (now, isFresh) in [(9, false), (10, true), (19, true), (20, false)] as [(Int64, Bool)] {
            #expect(entry.isFresh(at: now, maximumAge: nil) == isFresh)
        }
        #expect(entry.isFresh(at: 14, maximumAge: 5) && !entry.isFresh(at: 15, maximumAge: 5))
        #expect(!entry.isFresh(at: 10, maximumAge: 0))
    }

    @Test(
        arguments: [
            (0, nil), (1, 1), (1_000_000, 1), (1_999_999, 1), (2_000_000, 2), (86_400_000_000_000, 86_400_000),
            (90_000_000_000_000, 86_400_000),
        ] as [(Int64, Int?)])
    func lifetimeIsFromAMillisecondToADay(_ rest: Int64, _ milliseconds: Int?) {
        #expect(entry(1, at: 0, ttl: rest + 5).lifetime(at: 5) == milliseconds)
    }

    @Test func leastRecentlyUsedEntryIsEvictedFirst() throws {
        var cache = ResponseCache()
        let keys = try (0..<3).map { try key(#"{"n":\#($0)}"#) }
        for key in keys[..<2] { cache.insert(entry(1000), as: key, memory: 5000) }
        #expect(isHit(&cache, keys[0]))
        cache.insert(entry(1000), as: keys[2], memory: 5000)
        #expect(isHit(&cache, keys[0]) && !isHit(&cache, keys[1]) && isHit(&cache, keys[2]))
    }

    @Test func entryLargerThanTheMemoryIsNotCached() throws {
        var cache = ResponseCache()
        cache.insert(entry(5000), as: try key("{}"), memory: 5000)
        #expect(cache.count == 0 && cache.size == 0)
    }

    @Test func aMillionEntriesStayWithinTheirMemory() throws {
        var cache = ResponseCache()
        let memory = 4 << 20
        var generator = SystemRandomNumberGenerator()
        var most = 0
        for number in 0..<1_000_000 {
            // Unique digests without the cost of JSON.
            let key = CacheKey(number: number % 300_000)
            cache.insert(entry(Int.random(in: 0...2000, using: &generator)), as: key, memory: memory)
            most = max(most, cache.size)
        }
        #expect(most <= memory && cache.count > 1000)
    }

    // MARK: Memory

    private func flight(_ cache: inout ResponseCache, _ number: Int, memory: Int) -> (flight: Int, reader: Int)? {
        let key = CacheKey(number: number)
        guard
            case .first(let flight, let reader) = cache.begin(
                key, at: 0, maximumAge: nil, limit: 1 << 20, memory: memory)
        else { return nil }
        _ = cache.change(flight) { $0.open(Self.head) }
        return (flight, reader)
    }

    @Test func flightsCountAndEvictEntries() throws {
        var cache = ResponseCache()
        let memory = 20_000
        for number in 0..<10 { cache.insert(entry(400), as: CacheKey(number: number), memory: memory) }
        #expect(cache.count == 10)
        let flight = try #require(flight(&cache, 100, memory: memory))
        for _ in 0..<10 {
            _ = cache.change(flight.flight) { $0.append(Array(repeating: 1, count: 1000), at: 0) {} }
            #expect(cache.size + cache.flightSize <= memory)
        }
        #expect(cache.count < 10 && cache.flightSize > 10_000)
    }

    @Test func flightWithoutMemoryIsNotCachedButReadWhole() throws {
        var cache = ResponseCache()
        let (flight, reader) = try #require(flight(&cache, 1, memory: 5_000))
        var read = 0
        for _ in 0..<20 {
            _ = cache.change(flight) { $0.append(Array(repeating: 1, count: 1000), at: 0) {} }
            if case (.chunks(let chunks), _)? = cache.change(flight, { $0.read(reader) {} }) {
                read += chunks.reduce(0) { $0 + $1.bytes.count }
            }
        }
        #expect(read == 20_000 && cache.flightSize < 5_000)
        let kept = cache.finish(flight, .complete, as: CacheKey(number: 1), at: 0, ttl: 100, memory: 5_000).kept
        #expect(kept == nil && cache.count == 0)
    }

    /// A chunk of 1,000 bytes takes 96 more bytes of memory.
    @Test(arguments: [(1096, true), (1095, false)])
    func flightMayTakeTheWholeMemory(_ memory: Int, _ isKept: Bool) throws {
        var cache = ResponseCache()
        let (flight, reader) = try #require(flight(&cache, 1, memory: memory))
        _ = cache.change(flight) { $0.append(Array(repeating: 1, count: 1000), at: 0) {} }
        if isKept { #expect(self.flight(&cache, 2, memory: memory) != nil, "the next one begins without any") }
        _ = cache.change(flight) { $0.read(reader) {} }
        let kept = cache.finish(flight, .complete, as: CacheKey(number: 1), at: 0, ttl: 100, memory: 1 << 20).kept
        #expect((kept != nil) == isKept)
    }

    @Test func flightEvictsNoMoreThanItNeeds() throws {
        var cache = ResponseCache()
        let weight = entry(1000).weight
        let memory = 2 * weight + 1096
        for number in 0..<2 { cache.insert(entry(1000), as: CacheKey(number: number), memory: memory) }
        let (flight, _) = try #require(flight(&cache, 100, memory: memory))
        _ = cache.change(flight) { $0.append(Array(repeating: 1, count: 1000), at: 0) {} }
        #expect(cache.count == 2 && cache.size + cache.flightSize == memory)
        _ = cache.change(flight) { $0.append([1], at: 0) {} }
        #expect(cache.count == 1 && !isHit(&cache, CacheKey(number: 0)))
    }

    @Test func entryMayTakeTheWholeMemory() throws {
        var cache = ResponseCache()
        let weight = entry(100).weight
        cache.insert(entry(100), as: CacheKey(number: 1), memory: weight - 1)
        #expect(cache.count == 0)
        cache.insert(entry(100), as: CacheKey(number: 1), memory: weight)
        #expect(cache.count == 1 && cache.size == weight)
        cache.insert(entry(100), as: CacheKey(number: 1), memory: weight)
        #expect(cache.count == 1 && cache.size == weight, "it replaces itself")
        cache.insert(entry(100), as: CacheKey(number: 2), memory: weight)
        #expect(cache.count == 1 && !isHit(&cache, CacheKey(number: 1)) && isHit(&cache, CacheKey(number: 2)))
    }

    @Test func requestGoesAloneIfFlightsFillTheMemory() throws {
        var cache = ResponseCache()
        let (flight, reader) = try #require(flight(&cache, 1, memory: 5_000))
        _ = cache.change(flight) { $0.append(Array(repeating: 1, count: 6000), at: 0) {} }
        guard case .alone = cache.begin(CacheKey(number: 2), at: 0, maximumAge: nil, limit: 100, memory: 5_000) else {
            Issue.record("a flight began that there is no memory for")
            return
        }
        _ = cache.change(flight) { $0.leave(reader) }
        _ = cache.finish(flight, .complete, as: CacheKey(number: 1), at: 0, ttl: 100, memory: 5_000)
        #expect(cache.flightSize == 0 && self.flight(&cache, 2, memory: 5_000) != nil)
    }

    // MARK: Flights

    @Test func identicalRequestsInFlightAreOne() throws {
        var cache = ResponseCache()
        let key = try key("{}")
        guard case .first(let flight, let first) = cache.begin(key, at: 0, maximumAge: nil, limit: 100),
            case .joined(flight, let second) = cache.begin(key, at: 0, maximumAge: nil, limit: 100)
        else {
            Issue.record("the second request did not join the first")
            return
        }
        _ = cache.change(flight) { $0.open(Self.head) }
        _ = cache.change(flight) { $0.append([1], at: 0) {} }
        _ = cache.finish(flight, .complete, as: key, at: 0, ttl: 100, memory: 1 << 20)
        #expect(isHit(&cache, key))
        for reader in [first, second] {
            guard case (.chunks(let chunks), _)? = cache.change(flight, { $0.read(reader) {} }) else {
                Issue.record("reader \(reader) has nothing to read")
                return
            }
            #expect(chunks.flatMap(\.bytes) == [1])
            _ = cache.change(flight) { $0.leave(reader) }
        }
        #expect(cache.change(flight) { $0.isOver } == nil)
    }

    @Test func demandForAYoungerResponseJoinsNoLookup() throws {
        var cache = ResponseCache()
        let key = try key("{}")
        func begin(_ maximumAge: Int64?) -> Int? {
            switch cache.begin(key, at: 0, maximumAge: maximumAge, limit: 100) {
            case .first(let flight, _), .joined(let flight, _): flight
            default: nil
            }
        }
        let first = begin(50)
        #expect(begin(50) == first && begin(nil) == first)
        let younger = begin(49)
        #expect(younger != first && begin(50) == younger)
        // Once sent, the flight is young enough for every request except one with a maximum age of 0.
        _ = younger.map { cache.change($0) { $0.send() } }
        #expect(begin(1) == younger && begin(0) != younger)
    }

    @Test func readerAfterTheBeginningWasDroppedDoesNotJoin() throws {
        var cache = ResponseCache()
        let key = try key("{}")
        guard case .first(let flight, let reader) = cache.begin(key, at: 0, maximumAge: nil, limit: 10) else { return }
        _ = cache.change(flight) { $0.open(Self.head) }
        _ = cache.change(flight) { $0.append(Array(repeating: 1, count: 11), at: 0) {} }
        _ = cache.change(flight) { $0.read(reader) {} }
        guard case .first(let other, _) = cache.begin(key, at: 0, maximumAge: nil, limit: 10) else {
            Issue.record("the second request joined what it could not have whole")
            return
        }
        // The end of the first flight does not affect the second.
        _ = cache.finish(flight, .complete, as: key, at: 0, ttl: 100, memory: 1 << 20)
        guard case .joined(other, _) = cache.begin(key, at: 0, maximumAge: nil, limit: 10) else {
            Issue.record("the third request did not join the second")
            return
        }
    }

    @Test func readerAfterTheLastOneLeftDoesNotJoin() throws {
        var cache = ResponseCache()
        let key = try key("{}")
        guard case .first(let flight, let reader) = cache.begin(key, at: 0, maximumAge: nil, limit: 10) else { return }
        _ = cache.change(flight) { $0.leave(reader) }
        guard case .first = cache.begin(key, at: 0, maximumAge: nil, limit: 10) else {
            Issue.record("the second request joined what is given up")
            return
        }
    }

    @Test(arguments: [CoalescedResponse.End.broken, .failed(TransportError(.truncatedBody))])
    func truncatedFlightIsNotCached(_ end: CoalescedResponse.End) throws {
        var cache = ResponseCache()
        let key = try key("{}")
        guard case .first(let flight, _) = cache.begin(key, at: 0, maximumAge: nil, limit: 100) else { return }
        _ = cache.change(flight) { $0.open(Self.head) }
        _ = cache.finish(flight, end, as: key, at: 0, ttl: 100, memory: 1 << 20)
        #expect(cache.count == 0 && !isHit(&cache, key))
    }
}

extension CacheKey {
    fileprivate init(number: Int) {
        self.init(KeyDigest(of: withUnsafeBytes(of: number) { Array($0) }))
    }
}
