internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateLibC
internal import HeadgateNetwork

/// Idle connections of one loop to one upstream. The latest one is reused first, so that the others can time out. A
/// connection in use and its transfer retain each other.
final class UpstreamPool {
    let loop: EventLoop
    /// Buffer in which the chunks of one read are joined; consumed within the callback.
    let gathered = Cell<[UInt8]>([])
    private let network: UpstreamNetwork
    private let access: UpstreamAccess
    @exclusivity(unchecked) private var idle: [UpstreamConnection] = []
    /// The loopback target, if the upstream is one; determined at the first connection.
    private var shortcut: LoopbackTarget??
    /// Whether the upstream can be on another machine; determined when a connection is first reused.
    private var leavesThisMachine: Bool?
    /// Instant until which connections are reused without checking their routes.
    private var routeStands: UInt64 = 0
    private var isRetired = false
    private var budget: IdleBudget?

    /// Nanoseconds after which an idle connection is closed: below the limit of common peers, so that the gateway
    /// closes first.
    static let idleTimeout: UInt64 = 50_000_000_000

    /// Nanoseconds after an exchange in which hardly any peer closes the connection.
    static let justUsed: UInt64 = 1_000_000_000

    /// Nanoseconds for which a checked route is trusted. A check takes six system calls, too many for every request to
    /// a busy upstream.
    private static let routeTrust: UInt64 = 100_000_000

    init(loop: EventLoop, network: UpstreamNetwork, access: UpstreamAccess) {
        self.loop = loop
        self.network = network
        self.access = access
    }

    deinit { budget?.remove(self) }

    /// Returns an idle connection, if there is one. Connections that have lost their route are closed: the kernel would
    /// still accept a request, and report no failure for minutes.
    ///
    /// - Parameter longest: maximum idle time in nanoseconds.
    func takeIdle(to endpoint: BaseURL.Endpoint, atRestFor longest: UInt64 = .max) -> UpstreamConnection? {
        while let connection = idle.popLast() {
            guard longest == .max || loop.now <= connection.restingSince + longest else {
                idle.append(connection)
                return nil
            }
            budget?.giveBack()
            connection.isResting = false
            if hasRoute(connection, to: endpoint) { return connection }
            connection.close()
        }
        return nil
    }

    var hasIdle: Bool { !idle.isEmpty }

    private func hasRoute(_ connection: UpstreamConnection, to endpoint: BaseURL.Endpoint) -> Bool {
        guard leavesThisMachine ?? findOutWhetherItLeaves(to: endpoint), loop.now >= routeStands else { return true }
        guard connection.channel.hasRoute else { return false }
        routeStands = loop.now + UpstreamPool.routeTrust
        return true
    }

    private func findOutWhetherItLeaves(to endpoint: BaseURL.Endpoint) -> Bool {
        var leaves = loopbackTarget(of: endpoint) == nil
        if case .unix = endpoint { leaves = false }
        leavesThisMachine = leaves
        return leaves
    }

    /// Returns a new connection, if it can be made immediately.
    ///
    /// - Parameter endpoint: the pool's only endpoint.
    func connectAtOnce(to endpoint: BaseURL.Endpoint) -> UpstreamConnection? {
        guard let descriptor = loopbackTarget(of: endpoint)?.connectAtOnce() else { return nil }
        return UpstreamConnection(descriptor: descriptor, tls: nil, pool: self)
    }

    /// Opens a connection.
    ///
    /// - Parameter completion: called once, perhaps before this returns.
    /// - Returns: the attempt, which can be cancelled.
    func connect(
        to endpoint: BaseURL.Endpoint, timeout: Duration,
        completion: @escaping (Result<UpstreamConnection, TransportError>) -> Void
    ) -> UpstreamConnectionAttempt {
        let attempt = UpstreamConnectionAttempt(
            to: endpoint, access: access, resolver: network.resolver, pool: self, completion: completion)
        attempt.start(timeout: timeout)
        return attempt
    }

    private func loopbackTarget(of endpoint: BaseURL.Endpoint) -> LoopbackTarget? {
        if let shortcut { return shortcut }
        var found: LoopbackTarget?
        if case .tcp(let host, let port) = endpoint, access.proxy == nil {
            found = LoopbackTarget(host: host, port: port)
        }
        shortcut = .some(found)
        return found
    }

    /// Takes back a connection whose exchange is complete.
    func giveBack(_ connection: UpstreamConnection) {
        guard !isRetired, idleBudget.take() else { return connection.close() }
        idle.append(connection)
        connection.isResting = true
        connection.rest(since: loop.now)
    }

    /// Forgets a connection that has been closed.
    func remove(_ connection: UpstreamConnection) {
        guard connection.isResting, let index = idle.firstIndex(where: { $0 === connection }) else { return }
        idle.remove(at: index)
        budget?.giveBack()
    }

    func closeIdle() {
        for connection in idle { connection.close() }
    }

    /// Closes the idle connections of all pools, because no descriptor is left.
    func closeIdleEverywhere() { idleBudget.closeAll() }

    /// Ends the pool, from which no more connections will be requested.
    func retire() {
        isRetired = true
        closeIdle()
        budget?.remove(self)
        budget = nil
    }

    /// Budget of the loop, looked up on first use, since only the loop itself can access it.
    private var idleBudget: IdleBudget {
        if let budget { return budget }
        let found = network.idleBudget(on: loop)
        found.add(self)
        budget = found
        return found
    }
}
