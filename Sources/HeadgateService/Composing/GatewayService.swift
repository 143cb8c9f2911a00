import CHeadgate
import Glibc
package import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgatePages
internal import HeadgatePrimitives
package import HeadgateServer
import HeadgateUpstream

/// The running gateway: put together from a configuration, and put together anew, while it serves, when that changes.
///
/// Belongs to the main thread.
package final class GatewayService {
    let readiness = Readiness()
    let server: HTTPServer
    package private(set) var budget: ConnectionBudget
    /// As bound, in the order of the configuration.
    package private(set) var addresses: [ListenerSettings.Address] = []
    /// What it serves by.
    package private(set) var configuration: Configuration
    private(set) var gateway: Gateway
    private let upstreams: UpstreamComposer
    private let listeners: ListenerComposer
    private let recordings: RecordingComposer
    private let healthChecks: HealthChecks
    private let responses: ResponseStoreComposer
    private let cacheStore: CacheStoreComposer
    private let traces: TracingComposer
    private let ledgers: LedgerComposer
    private let counters: CountersComposer
    private let budgets: BudgetReader
    private let group: EventLoopGroup
    private let environment: [String: String]
    private let firstPlan: UpstreamComposer.Plan
    /// What every gateway of this process shares.
    private let shared: Shared

    /// What is kept and told beside the answers, under one configuration.
    fileprivate struct Surroundings {
        let responses: ResponseStoreComposer.Plan?
        let cache: CacheStoreComposer.Plan?
        let tracing: TracingComposer.Plan?
        let ledger: LedgerComposer.Plan?
        let counters: CountersComposer.Plan?
    }

    fileprivate struct Shared {
        let accessLog: AccessLog
        let readiness: Readiness
        let state: GatewayState
        let documentation: Documentation
        let status: StatusBoard
        let metrics: ProcessMetrics
        /// Nil where no keys are managed.
        let keys: KeyStoreComposer?
    }

    /// Puts the parts together. Nothing is served before ``open()``.
    ///
    /// - Parameters:
    ///   - inherited: listening sockets that take the place of the configured addresses.
    ///   - keys: where keys are managed; nil for nowhere.
    ///   - isGuest: whether it goes without what another gateway has for itself alone.
    /// - Throws: ``Complaint`` when a file cannot be used.
    init(
        _ configuration: Configuration, authentication: ClientAuthentication, environment: [String: String],
        group: EventLoopGroup, log: LogWriter, requestLog: RequestLog, inherited: [InheritedSocket],
        observer: ProgramObserver, keys: KeyStoreComposer? = nil, isGuest: Bool = false
    ) throws {
        self.configuration = configuration
        self.group = group
        self.environment = environment
        budget = ConnectionBudget.raisingLimit(for: configuration.limits)
        let network = UpstreamNetwork(group: group, maximumIdle: budget.idleUpstream)
        upstreams = UpstreamComposer(network: network, environment: environment, observer: observer)
        listeners = ListenerComposer(inherited: inherited)
        let losses = TracingComposer.Losses()
        shared = Shared(
            group: group, log: log, requestLog: requestLog, readiness: readiness, environment: environment,
            losses: losses, keys: keys)
        traces = TracingComposer(network: network, log: log, losses: losses)
        healthChecks = HealthChecks(loop: group.loops[0], state: shared.state)
        responses = ResponseStoreComposer(environment: environment, log: log, isGuest: isGuest)
        ledgers = LedgerComposer(environment: environment, log: log, isGuest: isGuest)
        counters = CountersComposer(group: group, log: log, state: shared.state)
        budgets = BudgetReader(loop: group.loops[0], state: shared.state)
        recordings = RecordingComposer(log: log)
        cacheStore = CacheStoreComposer(group: group, log: log, isGuest: isGuest)
        try GatewayService.check(authentication, knows: keys)
        let around = Surroundings(
            responses: try responses.plan(configuration.responses), cache: try cacheStore.plan(configuration),
            tracing: try traces.plan(configuration.tracing), ledger: try ledgers.plan(configuration),
            counters: try counters.plan(configuration.counters))
        responses.adopt(around.responses)
        cacheStore.adopt(around.cache)
        traces.adopt(around.tracing)
        ledgers.adopt(around.ledger)
        counters.adopt(around.counters, patience: .seconds(1))
        firstPlan = try upstreams.plan(configuration.upstreams, isReplayed: configuration.isReplayed)
        do {
            gateway = shared.gateway(
                configuration, authentication, firstPlan, listeners, around,
                try recordings.middleware(for: configuration, authentication, firstPlan.definitions))
        } catch {
            upstreams.abandon(firstPlan)
            throw error
        }
        server = HTTPServer(
            group: group, limits: ServerLimits(configuration.limits, budget: budget),
            responder: shared.responder(gateway, configuration),
            logError: { log.say("headgate: \($0)") })
        shared.metrics.watch(server)
        budgets.adopt(gateway.snapshot, of: configuration, around.ledger?.ledger, keys, beside: authentication.keys)
    }

    /// Where managed keys are all that there is, somebody has to know them: else nobody would be asked for one.
    private static func check(_ authentication: ClientAuthentication, knows keys: KeyStoreComposer?) throws {
        guard keys == nil, case .managed = authentication else { return }
        throw Complaint(
            "'ledger' now leads to managed keys: start the gateway again for that", exitCode: .configuration)
    }

    /// Whether there are managed keys that what is served was not compiled for.
    var lacksManagedKeys: Bool { shared.keys.map { !$0.keys.isEmpty && !$0.keys.areServed } ?? false }

    /// Public names, without patterns.
    package var modelNames: [String] { gateway.snapshot.modelNames }

    /// The URLs of the addresses.
    var listening: [String] { ListeningEndpoints(addresses: addresses, listeners: configuration.listeners).all }

    /// Begins to serve. Once.
    ///
    /// - Throws: ``Complaint`` when an address or a certificate cannot be used.
    func open() throws {
        do {
            addresses = try listen(on: listeners.settings(for: configuration.listeners))
        } catch {
            upstreams.abandon(firstPlan)
            throw error
        }
        adopt(firstPlan)
    }

    /// Serves by another configuration from now on. Requests in flight end under the one that they began with.
    ///
    /// - Throws: ``Complaint``; then nothing has changed.
    func apply(_ configuration: Configuration, authentication: ClientAuthentication) throws {
        try shared.keys?.check(configuration)
        try GatewayService.check(authentication, knows: shared.keys)
        let around = Surroundings(
            responses: try responses.plan(configuration.responses), cache: try cacheStore.plan(configuration),
            tracing: try traces.plan(configuration.tracing), ledger: try ledgers.plan(configuration),
            counters: try counters.plan(configuration.counters))
        let plan = try upstreams.plan(configuration.upstreams, isReplayed: configuration.isReplayed)
        let budget = ConnectionBudget.raisingLimit(for: configuration.limits)
        let gateway: Gateway
        do {
            gateway = shared.gateway(
                configuration, authentication, plan, listeners, around,
                try recordings.middleware(for: configuration, authentication, plan.definitions))
            addresses = try listen(
                on: listeners.settings(for: configuration.listeners),
                changingTo: (
                    shared.responder(gateway, configuration), ServerLimits(configuration.limits, budget: budget)
                ))
        } catch {
            upstreams.abandon(plan)
            throw error
        }
        self.budget = budget
        self.gateway = gateway
        self.configuration = configuration
        responses.adopt(around.responses)
        cacheStore.adopt(around.cache)
        traces.adopt(around.tracing)
        ledgers.adopt(around.ledger)
        counters.adopt(around.counters)
        adopt(plan)
        budgets.adopt(
            gateway.snapshot, of: configuration, around.ledger?.ledger, shared.keys, beside: authentication.keys)
    }

    private func adopt(_ plan: UpstreamComposer.Plan) {
        upstreams.adopt(plan, drain: configuration.limits.drain)
        // Who is never asked is never ill.
        healthChecks.adopt(configuration.isReplayed ? [] : plan.definitions)
    }

    /// Ends what goes on without its client, and waits for the outcomes.
    func endDepartures() {
        shared.state.endDepartures()
        for loop in group.loops {
            let latch = Latch()
            loop.execute { latch.open() }
            latch.wait()
        }
    }

    /// Ends the programs that the gateway runs, and waits for them and for what is to be written.
    func stopPrograms() {
        healthChecks.stop()
        budgets.stop()
        upstreams.stop()
        recordings.stop()
        traces.close()
    }

    /// Writes what is kept and not written yet.
    func closeStores() {
        responses.close()
        cacheStore.close()
        ledgers.close()
        counters.close()
        shared.keys?.close()
    }

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

extension GatewayService.Shared {
    init(
        group: EventLoopGroup, log: LogWriter, requestLog: RequestLog, readiness: Readiness,
        environment: [String: String], losses: TracingComposer.Losses, keys: KeyStoreComposer?
    ) {
        let assets = DocumentationAssets(environment: environment)
        self.init(
            accessLog: requestLog.accessLog, readiness: readiness,
            state: GatewayState(), documentation: Documentation { assets.asset($0) },
            status: StatusBoard(realtime: headgate_realtime_nanoseconds),
            metrics: ProcessMetrics(
                group: group, droppedLines: { log.droppedLines + requestLog.droppedLines },
                droppedSpans: { losses.count }), keys: keys)
    }

    func gateway(
        _ configuration: Configuration, _ authentication: ClientAuthentication, _ plan: UpstreamComposer.Plan,
        _ listeners: ListenerComposer, _ around: GatewayService.Surroundings, _ recording: (any UpstreamMiddleware)?
    ) -> Gateway {
        var parts = GatewayParts()
        parts.callersWithoutKey = listeners.callersWithoutKey(configuration.listeners)
        parts.managedKeys = keys?.keys
        parts.keyStore = keys?.store
        parts.keptResponses = KeptResponses(configuration, in: around.responses)
        parts.cacheStore = around.cache?.store
        parts.streamStore = around.counters?.streams
        parts.recording = recording
        parts.ledger = around.ledger?.ledger
        parts.counters = around.counters?.limits
        parts.tracing = around.tracing?.tracing
        parts.accessLog = accessLog
        parts.status = status
        parts.metrics = configuration.hasMetrics ? metrics : nil
        parts.state = state
        var configuration = configuration
        configuration.keys = authentication.keys
        return gateway(GatewaySnapshot(configuration, upstreams: plan.definitions, parts: parts))
    }

    private func gateway(_ snapshot: GatewaySnapshot, routes: RouteSelection = .all) -> Gateway {
        Gateway(
            snapshot: snapshot, readiness: readiness, documentation: documentation, routes: routes,
            realtime: headgate_realtime_nanoseconds)
    }

    /// What answers the requests of all listeners.
    func responder(_ gateway: Gateway, _ configuration: Configuration) -> any RequestResponder {
        let selections = Set(configuration.listeners.map(\.api.routes)).subtracting([.all])
        guard !selections.isEmpty else { return gateway }
        let others = selections.map { selection in
            (selection, self.gateway(gateway.snapshot, routes: selection))
        }
        return GatewayDoors(gateway, others: Dictionary(uniqueKeysWithValues: others))
    }
}
