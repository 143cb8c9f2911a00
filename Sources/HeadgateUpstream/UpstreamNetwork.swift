package import HeadgateEventLoop
package import HeadgateNetwork

/// Shared by the transports of all upstreams: the loops, the resolver, and the budget of idle connections.
package final class UpstreamNetwork: Sendable {
    package let group: EventLoopGroup
    let resolver: NameResolver
    private let idle: [LoopBound<IdleBudget>]

    /// - Parameter maximumIdle: connections at rest in all, to all upstreams.
    package init(group: EventLoopGroup, maximumIdle: Int = 1024, resolver: NameResolver = NameResolver()) {
        self.group = group
        self.resolver = resolver
        let share = max(4, maximumIdle / group.loops.count)
        idle = group.loops.map { LoopBound(IdleBudget(limit: share), on: $0) }
    }

    /// The budget of a loop, from its thread.
    func idleBudget(on loop: EventLoop) -> IdleBudget { idle[loop.index].value }
}

/// How many connections of one loop may be idle, over all pools: each takes a descriptor that a client could have.
/// Loop-confined.
final class IdleBudget {
    private struct Member {
        unowned let pool: UpstreamPool
    }

    private let limit: Int
    private var count = 0
    private var members: [ObjectIdentifier: Member] = [:]

    init(limit: Int) { self.limit = limit }

    /// - Returns: whether one more connection may be idle.
    func take() -> Bool {
        guard count < limit else { return false }
        count += 1
        return true
    }

    func giveBack() { count -= 1 }

    func add(_ pool: UpstreamPool) { members[ObjectIdentifier(pool)] = Member(pool: pool) }
    func remove(_ pool: UpstreamPool) { members[ObjectIdentifier(pool)] = nil }

    /// No descriptor is left: closes all idle connections.
    func closeAll() {
        for member in members.values { member.pool.closeIdle() }
    }
}
