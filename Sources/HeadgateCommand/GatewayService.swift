import CHeadgate
import Glibc
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgateServer
import HeadgateUpstream

/// The running gateway: put together from a configuration, and put together anew, while it serves, when that changes.
///
/// Belongs to the main thread.
final class GatewayService {
    let readiness = Readiness()
    let server: HTTPServer
    private(set) var budget: ConnectionBudget
    /// As bound, in the order of the configuration.
    private(set) var addresses: [ListenerSettings.Address] = []
    /// Of the configuration that is in force.
    private var listenerConfigurations: [ListenerConfiguration] = []
    private(set) var gateway: Gateway
    private let accessLog: AccessLog
    private let upstreams: UpstreamComposer
    private let listeners: ListenerComposer
    private let plan: UpstreamComposer.Plan
    private let first: Configuration
    private let documentation: Documentation
    private let status: StatusBoard
    private let state: GatewayState

    /// Puts the parts together. Nothing is served before ``open()``.
    ///
    /// - Throws: ``Complaint`` when a file cannot be used.
    init(
        _ configuration: Configuration, authentication: ClientAuthentication, environment: [String: String],
        group: EventLoopGroup, log: LogWriter, inherited: [InheritedSocket],
        onDeviceChanged: @escaping @Sendable (OnDeviceState) -> Void
    ) throws {
        let format: AccessLog.Format = isatty(STDERR_FILENO) == 1 ? .pretty : .json
        accessLog = AccessLog(format: format, sink: log, realtime: headgate_realtime_nanoseconds)
        budget = ConnectionBudget(configuration)
        let network = UpstreamNetwork(group: group, maximumIdle: budget.idleUpstream)
        upstreams = UpstreamComposer(
            network: network, environment: environment, programLog: ProgramLog(log: log),
            onDeviceChanged: onDeviceChanged)
        listeners = ListenerComposer(inherited: inherited)
        first = configuration
        let assets = DocumentationAssets(environment: environment)
        documentation = Documentation { assets.asset($0) }
        let history = Locked(RequestHistory())
        status = StatusBoard(realtime: headgate_realtime_nanoseconds) { history.withLock($0) }
        let wrongKeys = Locked(WrongKeyTable())
        let responseMakers = Locked(ResponseMakers())
        state = GatewayState(
            wrongKeys: WrongKeys { wrongKeys.withLock($0) }, responseMakers: { responseMakers.withLock($0) })
        plan = try upstreams.plan(configuration.upstreams)
        gateway = GatewayService.gateway(
            configuration, authentication, callersWithoutKey: listeners.callersWithoutKey(configuration.listeners),
            plan, accessLog, readiness, state, documentation, status)
        server = HTTPServer(
            group: group, limits: ServerLimits(configuration.limits, budget: budget), responder: gateway,
            logError: { log.say("headgate: \($0)") })
    }

    /// Begins to serve. Once.
    ///
    /// - Throws: ``Complaint`` when an address or a certificate cannot be used.
    func open() throws {
        do {
            addresses = try listen(on: listeners.settings(for: first.listeners))
            listenerConfigurations = first.listeners
        } catch {
            upstreams.abandon(plan)
            throw error
        }
        upstreams.adopt(plan, drain: first.limits.drain)
    }

    /// Serves by another configuration from now on. Requests in flight end under the one that they began with.
    ///
    /// - Throws: ``Complaint``; then nothing has changed.
    func apply(_ configuration: Configuration, authentication: ClientAuthentication) throws {
        let plan = try upstreams.plan(configuration.upstreams)
        let budget = ConnectionBudget(configuration)
        let gateway = GatewayService.gateway(
            configuration, authentication, callersWithoutKey: listeners.callersWithoutKey(configuration.listeners),
            plan, accessLog, readiness, state, documentation, status)
        do {
            addresses = try listen(
                on: listeners.settings(for: configuration.listeners),
                changingTo: (gateway, ServerLimits(configuration.limits, budget: budget)))
        } catch {
            upstreams.abandon(plan)
            throw error
        }
        self.budget = budget
        self.gateway = gateway
        listenerConfigurations = configuration.listeners
        upstreams.adopt(plan, drain: configuration.limits.drain)
    }

    /// The URLs of the addresses.
    var listening: [String] { ListeningEndpoints(addresses: addresses, listeners: listenerConfigurations).all }

    /// Ends the programs that the gateway runs, and waits for them.
    func stopPrograms() { upstreams.stop() }

    private static func gateway(
        _ configuration: Configuration, _ authentication: ClientAuthentication, callersWithoutKey: Int,
        _ plan: UpstreamComposer.Plan, _ accessLog: AccessLog, _ readiness: Readiness, _ state: GatewayState,
        _ documentation: Documentation, _ status: StatusBoard
    ) -> Gateway {
        let snapshot = GatewaySnapshot(
            upstreams: plan.definitions, models: configuration.models, keys: authentication.keys,
            callersWithoutKey: callersWithoutKey, limits: configuration.limits, origins: configuration.origins,
            storedResponses: configuration.storedResponses, bodyMemory: state.bodyMemory)
        return Gateway(
            snapshot: snapshot, accessLog: accessLog, readiness: readiness, state: state, documentation: documentation,
            status: status, realtime: headgate_realtime_nanoseconds)
    }

    private func listen(
        on settings: [ListenerSettings],
        changingTo change: (responder: any RequestResponder, limits: ServerLimits)? = nil
    ) throws -> [ListenerSettings.Address] {
        do {
            return try server.listen(on: settings, changingTo: change)
        } catch let error as ListenError {
            let advice =
                error.error == EADDRINUSE
                ? "another program has that address; set 'listen:' or HEADGATE_LISTEN to a free one"
                : "set another 'listen:'"
            throw Complaint("cannot listen on \(error.address): \(error.description) (\(advice))")
        }
    }
}
