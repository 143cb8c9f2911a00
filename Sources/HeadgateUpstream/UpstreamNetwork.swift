package import HeadgateEventLoop
package import HeadgateNetwork

/// Resources shared by the transports of all upstreams: the loops, the resolver, and the budget of idle connections.
package final class UpstreamNetwork: Sendable {
    package let group: EventLoopGroup
    let resolver: NameResolver
    private let idle: [LoopBound<IdleBudget>]

    /// - Parameter maximumIdle: maximum number of idle connections, to all upstreams together.
    package init(group: EventLoopGroup, maximumIdle: Int = 1024, resolver: NameResolver = NameResolver()) {
        self.group = group
        self.resolver = resolver
        let share = max(4, maximumIdle / group.loops.count)
        idle = group.loops.map { LoopBound(IdleBudget(limit: share), on: $0) }
    }

    /// Returns the budget of a loop. Must be called on that loop.
    func idleBudget(on loop: EventLoop) -> IdleBudget { idle[loop.index].value }
}

/// Limit of one loop's idle connections, over all pools, since each takes a descriptor that a client could have.
/// Loop-confined.
final class IdleBudget {
    private struct Member {
        unowned let pool: UpstreamPool
    }

    private let limit: Int
    private var count = 0
    private var members: [ObjectIdentifier: Member] = [:]

    init(limit: Int) { self.limit = limit }

    /// - Returns: whether one more connection can be idle.
    func take() -> Bool {
        guard count < limit else { return false }
        count += 1
        return true
    }

    func giveBack() { count -= 1 }

    func add(_ pool: UpstreamPool) { members[ObjectIdentifier(pool)] = Member(pool: pool) }
    func remove(_ pool: UpstreamPool) { members[ObjectIdentifier(pool)] = nil }

    /// Closes all idle connections, because no descriptor is left.
    func closeAll() {
        for member in members.values { member.pool.closeIdle() }
    }
}
