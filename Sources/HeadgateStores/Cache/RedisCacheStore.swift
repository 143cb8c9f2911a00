package import HeadgateEventLoop
package import HeadgateGateway
package import HeadgateNetwork
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// Stores cached responses in a Redis server, which several gateways can share. Each loop has its own connection. While
/// the server does not respond, lookups find nothing and do not wait.
package final class RedisCacheStore: CachedResponseStore {
    private let caches: [LoopBound<RedisCache>]
    private let now: @Sendable () -> Int64
    private let state: Locked<RedisLoopStates>
    private let allUp: Latch
    private let counts: Counts

    private final class Counts: Sendable {
        let damaged = Atomic<Int>(0)
        let lost = Atomic<Int>(0)
    }

    /// - Parameters:
    ///   - now: returns nanoseconds since 1970.
    ///   - report: called with messages for people, on any thread.
    package init(
        _ access: RedisAccess, resolver: NameResolver, group: EventLoopGroup,
        patience: RedisPatience = RedisPatience(), now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void
    ) {
        let state = Locked(
            RedisLoopStates(
                loops: group.loops.count, server: access.description,
                meanwhile: "no answer is found there, and none is kept"))
        let (allUp, counts) = (Latch(), Counts())
        let complaints = StoreComplaints(access.description, quiet: .seconds(60), now: now, report)
        (self.state, self.allUp, self.counts, self.now) = (state, allUp, counts, now)
        caches = group.loops.map { loop in
            let index = loop.index
            let observer = RedisCache.Observer(
                changed: { failure in
                    let (line, isUp) = state.withLock { ($0.change(index, failure: failure), $0.areUp) }
                    if isUp { allUp.open() }
                    if let line { report(line) }
                },
                damaged: { counts.damaged.add(1, ordering: .relaxed) },
                kept: { failure in
                    guard let failure else { return complaints.resolve() }
                    counts.lost.add(1, ordering: .relaxed)
                    complaints.note(failure)
                })
            return LoopBound(
                RedisCache(access, resolver: resolver, on: loop, patience: patience, observer: observer), on: loop)
        }
    }

    deinit { stop() }

    package func start() {
        for own in caches { own.loop.execute { own.value.start() } }
    }

    /// Stops permanently.
    package func stop() {
        for own in caches { own.loop.execute { own.value.stop() } }
    }

    /// Waits until all loops have reached the server. Must not be called on a loop.
    ///
    /// - Returns: whether they have within the limit.
    @discardableResult
    package func waitUntilWorking(atMost limit: Duration) -> Bool { allUp.wait(atMost: limit) }

    package var isOfSeveralGateways: Bool { true }

    package var health: CachedResponseStoreHealth? {
        CachedResponseStoreHealth(
            isWorking: state.withLock(\.areUp), damaged: counts.damaged.load(ordering: .relaxed),
            lost: counts.lost.load(ordering: .relaxed))
    }

    package func find(
        _ keys: [CacheKey], at now: Int64, maximumAge: Int64?,
        completion: @escaping @Sendable (FoundResponse?) -> Void
    ) {
        let question = RedisCache.Question(keys: keys, now: now, maximumAge: maximumAge, completion: completion)
        withCache { $0.find(question) }
    }

    package func keep(_ response: CachedResponse, as key: CacheKey) {
        guard let lifetime = response.lifetime(at: now()) else { return }
        withCache { $0.keep(response, as: key, for: lifetime) }
    }

    /// Runs a closure with the cache of the current loop; on other threads, with that of the first loop.
    private func withCache(_ body: @escaping @Sendable (RedisCache) -> Void) {
        if let own = caches.first(where: \.loop.isCurrent) { return body(own.value) }
        let first = caches[0]
        first.loop.execute { body(first.value) }
    }
}
