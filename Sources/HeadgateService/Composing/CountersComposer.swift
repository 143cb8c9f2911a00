import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateStores

/// Connects to the server on which several gateways count limits together. The connection is kept over reloads that do
/// not change it.
final class CountersComposer: StoreComposer {
    struct Plan {
        fileprivate let location: RedisLocation
        fileprivate let store: RedisCounterStore
        let limits: SharedLimits
        fileprivate let hints: BreakerHintExchange
    }

    private var current: Plan?
    /// Maximum wait for the first server, before the first requests are served.
    private var patience = Duration.seconds(1)
    private let group: EventLoopGroup
    private let log: LogWriter
    private let state: GatewayState
    private let resolver = NameResolver()

    /// - Parameter state: the state whose open breakers are reported to other gateways.
    init(group: EventLoopGroup, log: LogWriter, state: GatewayState) {
        self.group = group
        self.log = log
        self.state = state
    }

    /// Returns nil if this gateway has its own counters.
    func plan(_ configuration: Configuration) throws -> Plan? {
        guard case .redis(let location) = configuration.counters else { return nil }
        if let current, current.location == location { return current }
        let log = log
        let store = RedisCounterStore(
            try RedisAccess(connecting: location), resolver: resolver, group: group,
            report: { log.say("headgate: counters: \(LogText.line($0))") })
        return Plan(
            location: location, store: store, limits: SharedLimits(store),
            hints: BreakerHintExchange(RedisBreakerHints(store), state: state, on: group.loops[0]))
    }

    func provide(_ plan: Plan, for _: Configuration, to parts: inout GatewayParts) {
        parts.counters = plan.limits
        parts.streamStore = plan.store
    }

    /// Uses the planned store from now on. Requests in flight that were counted elsewhere are settled only in this
    /// gateway.
    func adopt(_ plan: Plan?) {
        defer { patience = .zero }
        guard plan?.store !== current?.store else { return }
        close()
        current = plan
        plan?.store.start()
        plan?.hints.start()
        if patience > .zero { plan?.store.waitUntilWorking(atMost: patience) }
    }

    func close() {
        current?.hints.stop()
        current?.store.stop()
    }
}

extension RedisAccess {
    /// - Parameter key: the configuration key that names the server.
    /// - Throws: ``Complaint`` if TLS cannot be used.
    init(connecting location: RedisLocation, for key: String = "counters") throws {
        guard case .host(_, _, isSecure: true) = location.place else {
            self.init(location)
            return
        }
        do {
            self.init(location, tls: try TLSContext.client(authorities: nil))
        } catch {
            throw Complaint("cannot use TLS for \(key): \(error.description)", exitCode: .configuration)
        }
    }
}
