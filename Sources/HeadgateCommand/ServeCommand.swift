import ArgumentParser
import CHeadgate
import Glibc
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateServer
import HeadgateUpstream

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the gateway.",
        discussion:
            "SIGTERM or SIGINT lets requests in flight finish (30 s at most) and exits 0; a second one ends them at once."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        headgate_protect_memory()
        try reporting {
            let environment = ProcessEnvironment.current
            let configuration = try options.load()
            guard configuration.listen.isLoopback || !configuration.keys.isEmpty else {
                throw Complaint(
                    "\(configuration.listen) can be reached by other machines, and no key is configured: add one under 'keys:' "
                        + "('headgate key new' makes it) or listen on 127.0.0.1",
                    exitCode: .configuration)
            }
            if let name = configuration.upstreamThatIsTheGateway {
                throw Complaint(
                    "the upstream '\(name)' is this gateway itself (\(configuration.listen)): is OPENAI_BASE_URL set to it? Unset it, "
                        + "or listen on another port",
                    exitCode: .configuration)
            }
            let authentication = try ClientAuthentication(configuration, environment: environment)
            try serve(configuration, authentication, environment)
        }
    }

    private func serve(
        _ configuration: Configuration, _ authentication: ClientAuthentication, _ environment: [String: String]
    ) throws {
        let group = EventLoopGroup(count: configuration.loops ?? EventLoopGroup.availableProcessors)
        let announcer = OnDeviceAnnouncer()
        let composition = try Composition(
            configuration, authentication: authentication, environment: environment, group: group
        ) { announcer.tell($0) }

        let ended = Latch()
        let signals = try watchSignals(composition, group: group, ended: ended)
        defer { withExtendedLifetime(signals) {} }

        let banner = Banner(
            configuration: configuration, authentication: authentication, port: composition.server.port,
            connectionLimit: Composition.limits(configuration).connections,
            models: composition.gateway.snapshot.modelNames)
        for line in banner.lines { complain(line) }
        for warning in configuration.warnings { complain("  warning: \(warning)") }
        announce("listening on \(banner.baseURL)")
        announcer.atFirstReady {
            for line in banner.curl { complain(line) }
            announce("ready")
        }
        if let model = composition.onDevice { model.start() } else { announcer.tell(.ready) }

        ended.wait()
        if let model = composition.onDevice {
            let gone = Latch()
            model.stop { gone.open() }
            gone.wait()
        }
        composition.log.close()
        try? group.loops[0].performAndWait { signals.value.clear() }
        group.stop()
    }

    private final class Signals {
        private var events: [SignalEvent]
        init(_ events: [SignalEvent]) { self.events = events }
        func clear() { events = [] }
    }

    private func watchSignals(
        _ composition: Composition, group: EventLoopGroup, ended: Latch
    ) throws -> LoopBound<Signals> {
        let loop = group.loops[0]
        let (server, readiness) = (composition.server, composition.gateway.readiness)
        return try loop.performAndWait {
            let action = {
                if readiness.isDraining { return server.expire() }
                readiness.beginDraining()
                let open = server.openConnections
                if open > 0 {
                    complain("headgate: finishing what is in flight (connections: \(open)); a second signal ends it")
                }
                server.shutDown { ended.open() }
            }
            return LoopBound(
                Signals([SIGTERM, SIGINT].map { SignalEvent(loop: loop, signal: $0, action: action) }), on: loop)
        }
    }
}
