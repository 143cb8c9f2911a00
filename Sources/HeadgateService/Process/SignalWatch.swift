import HeadgateEventLoop
internal import HeadgateGateway
import HeadgateLibC
import HeadgateRelay
import HeadgateServer

/// Handles signals on the first loop. Nothing here may block.
struct SignalWatch {
    private final class Events {
        var signals: [SignalEvent] = []
        var watchdog: LoopTimer?
        /// Lets requests in flight finish; the second call ends them.
        var end: () -> Void = {}
    }

    private let events: LoopBound<Events>
    /// Whether SIGHUP was ignored at the start, as under nohup.
    let ignoresHangUp = isIgnored(SIGHUP)

    init(
        _ service: GatewayService, manager: ServiceManager, group: EventLoopGroup, log: LogWriter,
        requestLog: RequestLog, control: ControlQueue, upgrades: Bool
    ) throws {
        let loop = group.loops[0]
        // A closed terminal does not end what was started under nohup.
        let terminal = ignoresHangUp ? nil : HeldTerminal()
        let (server, readiness, targets) = (service.server, service.readiness, service.targets)
        events = try loop.performAndWait {
            let events = Events()
            let end = {
                if readiness.isDraining { return server.cancelResponses() }
                readiness.beginDraining()
                targets.stopWaiting()
                manager.stopping()
                let open = server.openConnections
                if open > 0 {
                    log.say("headgate: finishing what is in flight (connections: \(open)); a second signal ends it")
                }
                server.shutDown { control.post(.end) }
            }
            events.end = end
            events.signals = [SIGTERM, SIGINT].map { SignalEvent(loop: loop, signal: $0, action: end) }
            events.signals.append(
                SignalEvent(loop: loop, signal: SIGHUP) {
                    if terminal?.isGone == true { return end() }
                    if !readiness.isDraining { control.post(.reload) }
                })
            events.signals.append(SignalEvent(loop: loop, signal: SIGUSR1) { requestLog.reopen() })
            if upgrades {
                events.signals.append(SignalEvent(loop: loop, signal: SIGUSR2) { control.post(.upgrade) })
            }
            if let interval = manager.watchdogInterval {
                events.watchdog = LoopTimer(loop: loop) { [unowned events] in
                    manager.watchdog()
                    events.watchdog?.schedule(after: interval)
                }
                events.watchdog?.schedule(after: interval)
            }
            return LoopBound(events, on: loop)
        }
    }

    /// Requests the same end as SIGTERM; from any thread.
    func requestEnd() {
        let events = events
        events.loop.execute { events.value.end() }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let action = signal(number, SIG_IGN)
        signal(number, action)
        return unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Before the loops are stopped. A further signal, now that as good as nothing is left to end, does not change the
    /// exit code.
    func end() {
        let events = events
        try? events.loop.performAndWait {
            events.value.signals = []
            events.value.end = {}
            for number in [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
            events.value.watchdog = nil
        }
    }
}

/// The terminal that the process was started from, if it was.
private struct HeldTerminal {
    private let descriptor = (0...2).first { tcgetpgrp($0) >= 0 }

    /// Whether it was closed since: SIGHUP is its last word then, and no request to reload.
    var isGone: Bool { descriptor.map { tcgetpgrp($0) < 0 } ?? false }
}
