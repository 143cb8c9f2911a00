import HeadgateEventLoop
internal import HeadgateGateway
import HeadgateLibC
import HeadgateRelay
import HeadgateServer

/// Handles signals on the first loop. Handlers must not block.
struct SignalWatch {
    private final class Events {
        var signals: [SignalEvent] = []
        var watchdog: LoopTimer?
        /// Lets requests in flight finish; a second call ends them.
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
        // A closed terminal does not end a process that was started under nohup.
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

    /// Ends the service as SIGTERM does. Can be called from any thread.
    func requestEnd() {
        let events = events
        events.loop.execute { events.value.end() }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let action = signal(number, SIG_IGN)
        signal(number, action)
        return unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Stops handling signals, before the loops are stopped. Further signals are ignored, so that they do not change
    /// the exit code when almost nothing is left to end.
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

/// Terminal from which the process was started, if there was one.
private struct HeldTerminal {
    private let descriptor = (0...2).first { tcgetpgrp($0) >= 0 }

    /// Whether the terminal was closed since the start. SIGHUP then reports this, and does not request a reload.
    var isGone: Bool { descriptor.map { tcgetpgrp($0) < 0 } ?? false }
}
