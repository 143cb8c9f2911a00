import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateUpstream

/// Looks at budgets and circuit breakers once a second, and reports what is new. Requests know nothing of it.
///
/// Belongs to the main thread; it looks and sends on a loop.
final class AlertWatch {
    private let network: UpstreamNetwork
    private let environment: [String: String]
    private let state: GatewayState
    private let say: @Sendable (String) -> Void
    private let loop: EventLoop
    private let schedule: LoopBound<Schedule>
    /// Configuration of the ways that are in use.
    private var served: AlertsConfiguration?

    /// - Parameter say: receives lines for people.
    init(
        _ network: UpstreamNetwork, state: GatewayState, environment: [String: String],
        say: @escaping @Sendable (String) -> Void
    ) {
        (self.network, self.state, self.environment, self.say) = (network, state, environment, say)
        loop = network.group.loops[0]
        schedule = LoopBound(Schedule(say), on: loop)
    }

    /// Begins, goes on with or ends looking, as a configuration has it.
    func adopt(_ configuration: Configuration, _ snapshot: GatewaySnapshot, managed: ManagedKeys?) {
        guard let alerts = configuration.alerts else { return stop() }
        let view = snapshot.alertView(configuration, state, managed: managed)
        // What is on its way stays so, unless the ways themselves have changed.
        let channels = alerts == served ? nil : channels(of: alerts)
        served = alerts
        loop.execute { [schedule] in
            schedule.value.start(view, channels?.map { $0(schedule.loop) }, on: schedule.loop)
        }
    }

    func stop() {
        served = nil
        loop.execute { [schedule] in schedule.value.stop() }
    }

    /// Ways of delivery, which belong to the loop.
    private func channels(of alerts: AlertsConfiguration) -> [@Sendable (EventLoop) -> AlertChannel] {
        let (say, environment, timeout) = (say, environment, alerts.timeout)
        var channels: [@Sendable (EventLoop) -> AlertChannel] = []
        if !alerts.command.isEmpty {
            let arguments = alerts.command
            channels.append { loop in
                AlertChannel("the command", timeout: timeout, on: loop, say: say) { [unowned loop] alert, completion in
                    let input = String(decoding: alert.json, as: UTF8.self) + "\n"
                    let run = ProgramRun(
                        arguments, environment: environment, input: input, on: loop, completion: completion)
                    return { run.kill() }
                }
            }
        }
        if let url = alerts.url, let hook = hook(at: url, timeout: timeout) {
            channels.append { loop in
                AlertChannel("the URL at \(url.host)", timeout: timeout, on: loop, say: say) { alert, completion in
                    let call = hook.post(alert, completion: completion)
                    return { call?.cancel() }
                }
            }
        }
        return channels
    }

    private func hook(at url: UpstreamURL, timeout: Duration) -> AlertHook? {
        do {
            let tls = url.scheme == .https ? try TLSContext.client(authorities: nil) : nil
            let timeouts = TransferTimeouts(connect: timeout, firstByte: timeout, silence: timeout)
            // Like a collector of traces: whoever names it means it.
            let access = UpstreamAccess(tls: tls, allowsPrivateAddresses: true)
            return AlertHook(
                at: BaseURL(url), over: UpstreamTransport(network: network, access: access, timeouts: timeouts))
        } catch {
            say("headgate: alerts: cannot use TLS for the URL: \(error.description)")
            return nil
        }
    }

    /// Loop-confined; its timer goes with it.
    private final class Schedule {
        private let say: @Sendable (String) -> Void
        private var source = AlertSource()
        private var view: AlertView?
        private var channels: [AlertChannel] = []
        private var timer: LoopTimer?
        private static let pause = Duration.seconds(1)

        init(_ say: @escaping @Sendable (String) -> Void) { self.say = say }

        /// What was reported before stays reported.
        ///
        /// - Parameter channels: new ways; nil to keep those in use.
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
