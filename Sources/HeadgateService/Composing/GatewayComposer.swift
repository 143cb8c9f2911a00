import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgatePages
import HeadgateRelay
import HeadgateUpstream

/// Composes gateways, each for one configuration, from stores and state that outlive them.
///
/// Belongs to the main thread.
final class GatewayComposer {
    let state = GatewayState()
    let readiness = Readiness()
    let upstreams: UpstreamComposer
    let listeners: ListenerComposer
    /// Composer of managed keys; nil if no keys are managed.
    let keys: KeyStoreComposer?
    let metrics: ProcessMetrics
    private let load: LoopWatch
    /// Locks of the places that only one gateway can use.
    let locks: PlaceLocks
    let ledger: LedgerComposer
    /// Stores in the order in which they plan a configuration, and in which they are closed.
    private let stores: [any StoreComposer]
    private let recordings: RecordingComposer
    private let accessLog: AccessLog
    private let documentation: Documentation
    /// Capabilities that the program adds to the built-in ones.
    private let added: [Capability]
    private let status = StatusBoard(realtime: headgate_realtime_nanoseconds)

    /// A gateway for one configuration, which is not served yet.
    struct Composition {
        let gateway: Gateway
        let upstreams: UpstreamComposer.Plan
        let ledger: (any UsageLedger)?
        fileprivate let adoptStores: [() -> Void]
    }

    /// - Parameters:
    ///   - isGuest: whether the gateways work without resources that another gateway has for itself.
    ///   - predecessor: the gateway that hands over its locks.
    init(
        upstreams: UpstreamComposer, listeners: ListenerComposer, keys: KeyStoreComposer?, network: UpstreamNetwork,
        environment: [String: String], log: LogWriter, requestLog: RequestLog, isGuest: Bool,
        added: [Capability], predecessor: Predecessor?
    ) {
        locks = PlaceLocks(handedOver: predecessor?.locks ?? [:])
        ledger = LedgerComposer(
            environment: environment, log: log, sharesExpectedly: isGuest || predecessor != nil)
        self.added = added
        (self.upstreams, self.listeners, self.keys) = (upstreams, listeners, keys)
        let group = network.group
        let losses = TracingComposer.Losses()
        let stores: [any StoreComposer] = [
            ResponseStoreComposer(environment: environment, log: log, isGuest: isGuest, locks: locks),
            CacheStoreComposer(group: group, log: log, isGuest: isGuest, locks: locks),
            TracingComposer(network: network, log: log, losses: losses),
            ledger,
            CountersComposer(group: group, log: log, state: state),
        ]
        self.stores = [keys].compactMap(\.self) + stores
        recordings = RecordingComposer(log: log)
        accessLog = requestLog.accessLog
        let assets = DocumentationAssets(environment: environment)
        documentation = Documentation { assets.asset($0) }
        load = LoopWatch(group)
        metrics = ProcessMetrics(
            group: group, droppedLines: { log.droppedLines + requestLog.droppedLines },
            droppedSpans: { losses.count })
    }

    /// Composes a gateway for a configuration.
    ///
    /// - Throws: ``Complaint``; then nothing has changed.
    func compose(_ configuration: Configuration, _ authentication: ClientAuthentication) throws -> Composition {
        // Without other keys, there must be a table of managed keys; otherwise no request would be authenticated.
        if keys == nil, case .managed = authentication {
            throw Complaint(
                "'ledger' now leads to managed keys: start the gateway again for that", exitCode: .configuration)
        }
        var parts = GatewayParts()
        parts.callersWithoutKey = listeners.callersWithoutKey(configuration.listeners)
        parts.accessLog = accessLog
        parts.status = status
        parts.metrics = configuration.hasMetrics ? metrics : nil
        parts.load = load
        parts.state = state
        parts.added = added
        let adoptStores = try stores.map { try $0.compose(configuration, into: &parts) }
        let plan = try upstreams.plan(configuration.upstreams, isReplayed: configuration.isReplayed)
        do {
            parts.recording = try recordings.middleware(for: configuration, authentication, plan.definitions)
        } catch {
            upstreams.release(plan)
            throw error
        }
        var admitting = configuration
        admitting.keys = authentication.keys
        let snapshot = GatewaySnapshot(admitting, upstreams: plan.definitions, parts: parts)
        return Composition(
            gateway: gateway(snapshot), upstreams: plan, ledger: parts.ledger, adoptStores: adoptStores)
    }

    /// Makes the stores of a composition current.
    func adoptStores(of composition: Composition) { for adopt in composition.adoptStores { adopt() } }

    private func gateway(_ snapshot: GatewaySnapshot, routes: RouteSelection = .all) -> Gateway {
        Gateway(
            snapshot: snapshot, readiness: readiness, documentation: documentation, routes: routes,
            realtime: headgate_realtime_nanoseconds)
    }

    /// Returns the responder for the requests of all listeners.
    func responder(_ gateway: Gateway, _ configuration: Configuration) -> any RequestResponder {
        let selections = Set(configuration.listeners.map(\.api.routes)).subtracting([.all])
        guard !selections.isEmpty else { return gateway }
        let others = selections.map { ($0, self.gateway(gateway.snapshot, routes: $0)) }
        return ListenerResponder(gateway, others: Dictionary(uniqueKeysWithValues: others))
    }

    /// Leaves to another process everything that only one process can write.
    func handOver() { for store in stores { store.handOver() } }

    /// Ends the programs that the gateways run, and everything that needs the event loops.
    func stop() {
        upstreams.stop()
        recordings.stop()
        for store in stores { store.stop() }
    }

    /// Writes everything that is still buffered.
    func close() { for store in stores { store.close() } }
}
