import Testing

@testable import HeadgateNetwork

struct NameCacheTests {
    private static let second: UInt64 = 1_000_000_000
    private let first = [IPAddress.v4(1)]
    private let other = [IPAddress.v4(2)]

    private func cache(names: Int = 1024) -> NameCache {
        var limits = NameCacheLimits()
        limits.names = names
        return NameCache(limits: limits)
    }

    private func at(_ seconds: UInt64) -> UInt64 { (1000 + seconds) * NameCacheTests.second }

    @Test func nameIsResolvedOnceForManyCallers() {
        var cache = cache()
        #expect(cache.ask("a", at: at(0)) == .unknown(begins: true))
        #expect(cache.ask("a", at: at(1)) == .unknown(begins: false))
        #expect(cache.ask("b", at: at(1)) == .unknown(begins: true))
    }

    @Test func entryLastsAMinuteAndIsThenRefreshedOnceInUse() {
        var cache = cache()
        _ = cache.ask("a", at: at(0))
        #expect(cache.store("a", .success(first), at: at(1)) == .success(first))
        #expect(cache.ask("a", at: at(60)) == .known(.success(first), begins: false))
        #expect(cache.ask("a", at: at(61)) == .known(.success(first), begins: true))
        #expect(cache.ask("a", at: at(62)) == .known(.success(first), begins: false))
        #expect(cache.store("a", .success(other), at: at(63)) == .success(other))
        #expect(cache.ask("a", at: at(64)) == .known(.success(other), begins: false))
    }

    @Test func failedRefreshLeavesTheOldAnswerForAnHour() {
        let failure = Result<[IPAddress], NameError>.failure(NameError("server failure"))
        var cache = cache()
        _ = cache.ask("a", at: at(0))
        _ = cache.store("a", .success(first), at: at(0))
        #expect(cache.ask("a", at: at(100)) == .known(.success(first), begins: true))
        #expect(cache.store("a", failure, at: at(101)) == .success(first))
        #expect(cache.ask("a", at: at(102)) == .known(.success(first), begins: false), "not again at once")
        #expect(cache.ask("a", at: at(103)) == .known(.success(first), begins: true))
        #expect(cache.store("a", failure, at: at(3599)) == .success(first))
        #expect(cache.ask("a", at: at(3600)) == .known(failure, begins: false), "too old to be used")
        #expect(cache.ask("a", at: at(3601)) == .unknown(begins: true))
        #expect(cache.store("a", failure, at: at(3602)) == failure)
    }

    @Test func failureIsCachedBriefly() {
        let failure = Result<[IPAddress], NameError>.failure(NameError("no such name"))
        var cache = cache()
        _ = cache.ask("a", at: at(0))
        #expect(cache.store("a", failure, at: at(0)) == failure)
        #expect(cache.ask("a", at: at(1)) == .known(failure, begins: false))
        #expect(cache.ask("a", at: at(2)) == .unknown(begins: true))
        #expect(cache.store("a", .success(first), at: at(3)) == .success(first))
        #expect(cache.ask("a", at: at(4)) == .known(.success(first), begins: false))
    }

    @Test func nameWithoutAddressesIsAFailure() {
        var cache = cache()
        _ = cache.ask("a", at: at(0))
        #expect(cache.store("a", .success([]), at: at(0)) == .failure(NameError("the name has no address")))
    }

    @Test func leastRecentlyUsedNameIsEvicted() {
        var cache = cache(names: 2)
        for (index, name) in ["a", "b"].enumerated() {
            _ = cache.ask(name, at: at(UInt64(index)))
            _ = cache.store(name, .success(first), at: at(UInt64(index)))
        }
        _ = cache.ask("a", at: at(5))
        #expect(cache.ask("c", at: at(6)) == .unknown(begins: true))
        #expect(cache.ask("a", at: at(7)) == .known(.success(first), begins: false))
        #expect(cache.ask("b", at: at(8)) == .unknown(begins: true), "was forgotten; a made room for it")
        guard case .known(.failure, false) = cache.ask("d", at: at(9)) else {
            Issue.record("names that are being looked up were forgotten")
            return
        }
    }

    @Test func earlierClockOfAnotherThreadIsNotAnAge() {
        var cache = cache()
        _ = cache.ask("a", at: at(1))
        _ = cache.store("a", .success(first), at: at(2))
        #expect(cache.ask("a", at: at(1)) == .known(.success(first), begins: false))
    }
}
