import CHeadgate
package import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgatePages
internal import HeadgatePrimitives
import HeadgateRelay
package import HeadgateServer
import HeadgateUpstream

/// Running gateway, composed from a configuration, and composed again if the configuration changes while it serves.
///
/// Belongs to the main thread.
package final class GatewayService {
    let server: HTTPServer
    package private(set) var budget: ConnectionBudget
    /// Bound addresses, in the order of the configuration.
    package private(set) var addresses: [ListenerSettings.Address] = []
    /// Configuration in force.
    package private(set) var configuration: Configuration
    private(set) var gateway: Gateway
    let composer: GatewayComposer
    private let healthChecks: HealthChecks
    let budgets: BudgetReader
    /// Watch that reports alerts; nil if another gateway reports for this one.
    private let alerts: AlertWatch?
    private let group: EventLoopGroup
    /// Deadline after a handover for responses that continue without their clients.
    let drainTimer: LoopBound<LoopTimer>
    let environment: [String: String]
    /// Upstreams of the first configuration, until ``open()``.
    private var firstUpstreams: UpstreamComposer.Plan?

    /// Composes the gateway. Nothing is served before ``open()``.
    ///
    /// - Parameters:
    ///   - inherited: listening sockets that replace the configured addresses.
    ///   - keys: the composer of managed keys; nil if no keys are managed.
    ///   - isGuest: whether it works without resources that another gateway has for itself.
    ///   - added: capabilities of the program in addition to the built-in ones.
    ///   - predecessor: the gateway that hands over its sockets and locks.
    /// - Throws: ``Complaint`` if a file cannot be used.
    init(
        _ configuration: Configuration, authentication: ClientAuthentication, environment: [String: String],
        group: EventLoopGroup, log: LogWriter, requestLog: RequestLog, inherited: [InheritedSocket],
        observer: ProgramObserver, keys: KeyStoreComposer? = nil, isGuest: Bool = false, added: [Capability] = [],
        predecessor: Predecessor? = nil
    ) throws {
        self.configuration = configuration
        self.group = group
        drainTimer = LoopBound(LoopTimer(loop: group.loops[0]), on: group.loops[0])
        self.environment = environment
        budget = ConnectionBudget.raisingLimit(for: configuration.limits)
        let network = UpstreamNetwork(group: group, maximumIdle: budget.idleUpstream)
        composer = GatewayComposer(
            upstreams: UpstreamComposer(network: network, environment: environment, observer: observer),
            listeners: ListenerComposer(inherited: inherited, predecessor: predecessor), keys: keys, network: network,
            environment: environment, log: log, requestLog: requestLog, isGuest: isGuest, added: added,
            predecessor: predecessor)
        healthChecks = HealthChecks(loop: group.loops[0], state: composer.state)
        budgets = BudgetReader(loop: group.loops[0], state: composer.state)
        let upstreams = composer.upstreams
        alerts =
            isGuest
            ? nil
            : AlertWatch(
                on: { () throws(ThreadShortage) in try upstreams.sideGroup() }, state: composer.state,
                environment: environment, say: { log.say($0) })
        let first = try composer.compose(configuration, authentication)
        composer.adoptStores(of: first)
        firstUpstreams = first.upstreams
        gateway = first.gateway
        server = HTTPServer(
            group: group, limits: ServerLimits(configuration.limits, budget: budget),
            responder: composer.responder(gateway, configuration),
            logError: { log.say("headgate: \($0)") })
        composer.metrics.watch(server)
        budgets.adopt(gateway.snapshot, of: configuration, first.ledger, keys, beside: authentication.keys)
        alerts?.adopt(configuration, gateway.snapshot, managed: keys?.keys)
    }

    var readiness: Readiness { composer.readiness }

    /// State of the targets, which outlives reloads.
    var targets: TargetStates { composer.state.targets }

    /// Whether there are managed keys for which the served configuration was not compiled.
    var lacksManagedKeys: Bool { composer.keys.map { !$0.keys.isEmpty && !$0.keys.areServed } ?? false }

    /// Public names of models, without patterns.
    var modelNames: [String] { gateway.snapshot.modelNames }

    /// URLs of the listening addresses.
    package var listening: [String] { ListeningEndpoints(addresses: addresses, listeners: configuration.listeners).all }

    /// Begins to serve. Must be called once.
    ///
    /// - Throws: ``Complaint`` if an address or a certificate cannot be used.
    func open() throws {
        guard let plan = firstUpstreams.take() else { preconditionFailure("it is open already") }
        do {
            addresses = try listen(on: composer.listeners.settings(for: configuration.listeners))
        } catch {
            composer.upstreams.release(plan)
            throw error
        }
        adopt(plan)
    }

    /// Serves another configuration from now on. Requests in flight end under the configuration that they began with.
    ///
    /// - Throws: ``Complaint``; then nothing has changed.
    func apply(_ configuration: Configuration, authentication: ClientAuthentication) throws {
        let next = try composer.compose(configuration, authentication)
        let budget = ConnectionBudget.raisingLimit(for: configuration.limits)
        do {
            addresses = try listen(
                on: composer.listeners.settings(for: configuration.listeners),
                changingTo: (
                    composer.responder(next.gateway, configuration), ServerLimits(configuration.limits, budget: budget)
                ))
        } catch {
            composer.upstreams.release(next.upstreams)
            throw error
        }
        self.budget = budget
        self.configuration = configuration
        gateway = next.gateway
        composer.adoptStores(of: next)
        adopt(next.upstreams)
        budgets.adopt(gateway.snapshot, of: configuration, next.ledger, composer.keys, beside: authentication.keys)
        alerts?.adopt(configuration, gateway.snapshot, managed: composer.keys?.keys)
    }

    private func adopt(_ plan: UpstreamComposer.Plan) {
        composer.upstreams.adopt(configuration.programGroups)
        composer.upstreams.adopt(plan, drain: configuration.limits.drain)
        // Upstreams that are never called need no health checks.
        healthChecks.adopt(configuration.isReplayed ? [] : plan.definitions)
    }

    /// Ends responses that continue without their clients, and waits for their outcomes.
    func endDisconnected() {
        composer.state.endDisconnected()
        drainTimer.loop.execute { [drainTimer] in drainTimer.value.cancel() }
        for loop in group.loops {
            let latch = Latch()
            loop.execute { latch.open() }
            latch.wait()
        }
    }

    /// Ends the programs that the gateway runs, and everything that needs the event loops. Waits for the programs.
    func stopPrograms() {
        stopWatching()
        // This also ends the loop of the alerts.
        composer.stop()
    }

    /// Ends health checks, the reading of budgets, and alerts.
    func stopWatching() {
        healthChecks.stop()
        budgets.stop()
        alerts?.stop()
    }

    /// Writes everything that is still buffered.
    func closeStores() { composer.close() }

    private func listen(
        on settings: [ListenerSettings],
        changingTo change: (responder: any RequestResponder, limits: ServerLimits)? = nil
    ) throws -> [ListenerSettings.Address] {
        do {
            return try server.listen(on: settings, changingTo: change)
        } catch let error as ListenError {
            guard error.error == EADDRINUSE else {
                throw Complaint("cannot listen on \(error.address): \(error.description) (set another 'listen:')")
            }
            let other = RuntimeRecord.running(environment).first { $0.listens(on: error.address) }
            let advice =
                other?.advice
                ?? "\(error.description): choose another one with --listen PORT, HEADGATE_LISTEN or 'listen:'"
            throw Complaint("cannot listen on \(error.address): \(advice)")
        }
    }
}
