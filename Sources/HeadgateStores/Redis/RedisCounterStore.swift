package import HeadgateEventLoop
package import HeadgateGateway
package import HeadgateNetwork
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// Counters in a Redis server. Each loop has its own connection with pipelined calls: one round trip per request.
package final class RedisCounterStore: CounterStore {
    private let counters: [LoopBound<RedisCounters>]
    private let state: Locked<RedisLoopStates>
    private let allUp: Latch
    /// Complaints about streams that the server rejects.
    let streamComplaints: StoreComplaints
    let refusedShares = Atomic<Int>(0)

    /// - Parameters:
    ///   - report: called with messages for people, on any thread.
    package init(
        _ access: RedisAccess, resolver: NameResolver, group: EventLoopGroup,
        patience: RedisPatience = RedisPatience(), report: @escaping @Sendable (String) -> Void
    ) {
        let state = Locked(RedisLoopStates(loops: group.loops.count, server: access.description))
        let allUp = Latch()
        (self.state, self.allUp) = (state, allUp)
        // Streams are used only on loops, so there is a current loop.
        streamComplaints = StoreComplaints(
            access.description, .streams, quiet: .seconds(60),
            now: { Int64(truncatingIfNeeded: EventLoop.current.now) }, report)
        counters = group.loops.map { loop in
            let index = loop.index
            let counters = RedisCounters(access, resolver: resolver, on: loop, patience: patience) { failure in
                let (line, isUp) = state.withLock { ($0.change(index, failure: failure), $0.areUp) }
                if isUp { allUp.open() }
                if let line { report(line) }
            }
            return LoopBound(counters, on: loop)
        }
    }

    deinit {
        // Connections end on their loops.
        for own in counters { own.loop.execute { own.value.stop() } }
    }

    package func start() {
        for own in counters { own.loop.execute { own.value.start() } }
    }

    /// Stops permanently. The server forgets the leases of requests in flight.
    package func stop() {
        for own in counters { own.loop.execute { own.value.stop() } }
    }

    /// Waits until all loops have reached the server. Must not be called on a loop.
    ///
    /// - Returns: whether they have within the limit.
    @discardableResult
    package func waitUntilWorking(atMost limit: Duration) -> Bool { allUp.wait(atMost: limit) }

    package var isWorking: Bool { state.withLock(\.areUp) }

    package var epoch: UInt64? { own.epoch }

    package func take(_ claims: [CounterClaim], completion: @escaping (CounterAnswer?) -> Void) {
        own.take(claims, completion: completion)
    }

    /// Counters of the current loop.
    var own: RedisCounters { counters[EventLoop.current.index].value }
}

/// Tracks which loops reach the server. Reports once when the server fails, and once when it works again. Pure.
struct RedisLoopStates {
    private let server: String
    /// Description of the behavior while the server cannot be used.
    private let meanwhile: String
    private var areUpByLoop: [Bool]
    private var hasFailed = false

    init(loops: Int, server: String, meanwhile: String = "this gateway counts limits and budgets by itself") {
        self.server = server
        self.meanwhile = meanwhile
        areUpByLoop = Array(repeating: false, count: loops)
    }

    var areUp: Bool { areUpByLoop.allSatisfy(\.self) }

    /// - Parameter failure: the failure; nil if the loop reaches the server.
    /// - Returns: a message for people, if there is one.
    mutating func change(_ loop: Int, failure: String?) -> String? {
        areUpByLoop[loop] = failure == nil
        if let failure {
            defer { hasFailed = true }
            return hasFailed
                ? nil
                : "\(server) cannot be used: \(failure). Meanwhile \(meanwhile)"
        }
        guard hasFailed, areUp else { return nil }
        hasFailed = false
        return "\(server) is used again"
    }
}
