import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateUpstream

/// Checks budgets and circuit breakers once a second, and reports changes. It works on a loop whose thread serves no
/// requests.
///
/// Belongs to the main thread.
final class AlertWatch {
    private let environment: [String: String]
    private let state: GatewayState
    private let say: @Sendable (String) -> Void
    private let sideGroup: () throws(ThreadShortage) -> EventLoopGroup
    /// Network and schedule of the watch; nil until a configuration has alerts.
    private var work: (network: UpstreamNetwork, schedule: LoopBound<Schedule>)?
    /// Configuration of the channels in use.
    private var served: AlertsConfiguration?
    /// Whether a configuration has been adopted.
    private var hasStarted = false

    /// - Parameters:
    ///   - sideGroup: starts the loop for the watch, or returns it if it runs.
    ///   - say: receives lines for people.
    init(
        on sideGroup: @escaping () throws(ThreadShortage) -> EventLoopGroup, state: GatewayState,
        environment: [String: String], say: @escaping @Sendable (String) -> Void
    ) {
        (self.sideGroup, self.state, self.environment, self.say) = (sideGroup, state, environment, say)
    }

    /// Starts, continues or stops the watch, according to a configuration.
    func adopt(_ configuration: Configuration, _ snapshot: GatewaySnapshot, managed: ManagedKeys?) {
        let isFirst = !hasStarted
        hasStarted = true
        guard let alerts = configuration.alerts else { return stop() }
        let work: (network: UpstreamNetwork, schedule: LoopBound<Schedule>)
        do {
            work = try started()
        } catch {
            return say("headgate: alerts: \(error): no alert is sent until a reload")
        }
        let view = snapshot.alertView(configuration, state, managed: managed, isFirst: isFirst)
        // Deliveries in progress continue, unless the channels have changed.
        let channels = alerts == served ? nil : channels(of: alerts, over: work.network)
        served = alerts
        let schedule = work.schedule
        schedule.loop.execute { schedule.value.start(view, channels?.map { $0(schedule.loop) }, on: schedule.loop) }
    }

    func stop() {
        served = nil
        guard let schedule = work?.schedule else { return }
        schedule.loop.execute { schedule.value.stop() }
    }

    private func started() throws(ThreadShortage) -> (network: UpstreamNetwork, schedule: LoopBound<Schedule>) {
        if let work { return work }
        let group = try sideGroup()
        let new = (UpstreamNetwork(group: group, maximumIdle: 4), LoopBound(Schedule(say), on: group.loops[0]))
        work = new
        return new
    }

    /// Returns closures that create the channels on the loop.
    private func channels(
        of alerts: AlertsConfiguration, over network: UpstreamNetwork
    ) -> [@Sendable (EventLoop) -> AlertChannel] {
        let (say, timeout) = (say, alerts.timeout)
        let environment = InheritedEnvironment.from(environment)
        var channels: [@Sendable (EventLoop) -> AlertChannel] = []
        if !alerts.command.isEmpty {
            let arguments = alerts.command
            channels.append { loop in
                AlertChannel("the command", timeout: timeout, on: loop, say: say) { [unowned loop] alert, completion in
                    let input = String(decoding: alert.json, as: UTF8.self) + "\n"
                    var lastLine = ""
                    let run = ProgramRun(
                        arguments, environment: environment, input: input, errorOutput: .captured,
                        output: .lines { if !$0.isEmpty { lastLine = $0 } }, on: loop
                    ) { failure in
                        completion(failure.map { lastLine.isEmpty ? "\($0)" : "\($0): \(lastLine)" })
                    }
                    return { run.kill() }
                }
            }
        }
        if let url = alerts.url, let hook = hook(at: url, timeout: timeout, over: network) {
            channels.append { loop in
                AlertChannel("the URL at \(url.host)", timeout: timeout, on: loop, say: say) { alert, completion in
                    let call = hook.post(alert, completion: completion)
                    return { call?.cancel() }
                }
            }
        }
        return channels
    }

    private func hook(at url: UpstreamURL, timeout: Duration, over network: UpstreamNetwork) -> AlertHook? {
        do {
            let tls = url.scheme == .https ? try TLSContext.client(authorities: nil) : nil
            let timeouts = TransferTimeouts(connect: timeout, firstByte: timeout, silence: timeout)
            // A private address is allowed, as for a collector of traces.
            let access = UpstreamAccess(tls: tls, allowsPrivateAddresses: true)
            return AlertHook(
                at: BaseURL(url), over: UpstreamTransport(network: network, access: access, timeouts: timeouts))
        } catch {
            say("headgate: alerts: cannot use TLS for the URL: \(error.description)")
            return nil
        }
    }

    /// Schedule of the checks. Loop-confined; its timer ends with it.
    private final class Schedule {
        private let say: @Sendable (String) -> Void
        private var source = AlertSource()
        private var view: AlertView?
        private var channels: [AlertChannel] = []
        private var timer: LoopTimer?
        private static let pause = Duration.seconds(1)

        init(_ say: @escaping @Sendable (String) -> Void) { self.say = say }

        /// Starts the watch. Earlier reports are not repeated.
        ///
        /// - Parameter channels: new channels; nil to keep those in use.
        func start(_ view: AlertView, _ channels: [AlertChannel]?, on loop: EventLoop) {
            self.view = view
            if let channels { self.channels = channels }
            guard timer == nil else { return }
            timer = LoopTimer(loop: loop) { [unowned self, unowned loop] in look(on: loop) }
            timer?.schedule(after: Schedule.pause)
        }

        func stop() {
            timer = nil
            view = nil
            channels = []
        }

        private func look(on loop: EventLoop) {
            guard let view else { return }
            for alert in source.alerts(view, at: loop.now, realtime: headgate_realtime_nanoseconds()) {
                say("headgate: alert: \(LogText.line(alert.text))")
                for channel in channels { channel.add(alert) }
            }
            timer?.schedule(after: Schedule.pause)
        }
    }
}
