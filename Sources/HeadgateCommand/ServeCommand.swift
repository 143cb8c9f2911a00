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
            "SIGTERM or SIGINT lets requests in flight finish (30 s at most) and exits 0; a second one ends them at once. "
            + "SIGHUP, or 'headgate reload', reads the configuration again."
    )

    @OptionGroup var options: ConfigurationOptions

    /// For other commands, which start a gateway for themselves: see ``CompanionService``.
    @Flag(help: .hidden) var companion = false

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        headgate_protect_memory()
        try reporting {
            // First: what the service manager says is for this process alone, and not for those that it starts.
            let manager = try ServiceManager.adopt()
            let environment = ProcessEnvironment.current
            let companion = companion ? try CompanionService.adopt(environment) : nil
            let load = { try self.load(environment, manager, companion) }
            let (configuration, authentication, warnings) = try load()
            let loops = configuration.loops ?? EventLoopGroup.availableProcessors
            headgate_tune_allocator(Int32(loops))
            let group = try EventLoopGroup(starting: loops)
            let log = try LogWriter(group: group, descriptor: STDERR_FILENO)
            let output = try LogWriter(group: group, descriptor: STDOUT_FILENO)
            let announcer = OnDeviceAnnouncer(log: log, output: output)
            let service = try GatewayService(
                configuration, authentication: authentication, environment: environment, group: group, log: log,
                inherited: manager.sockets
            ) { announcer.tell($0) }
            let control = ControlQueue()
            // Before the first client is served: whoever has had an answer may send a signal.
            let watch = try SignalWatch(service, manager: manager, group: group, log: log, control: control)
            try service.open()
            // Who asks for a reload means a gateway that they started.
            let record =
                companion == nil
                ? RuntimeRecord.make(environment, addresses: service.listening, file: options.path(environment)) : nil
            announce(service, configuration, authentication, warnings, log, output, announcer)
            manager.ready()

            serving: while true {
                switch control.next() {
                case .reload where service.readiness.isDraining: continue
                case .reload:
                    manager.reloading()
                    record?.begin()
                    let failure = reload(service, load, from: configuration, environment, log)
                    record?.end(failure, addresses: service.listening)
                    manager.ready()
                case .end: break serving
                }
            }
            service.stopPrograms()
            record?.remove()
            log.close()
            output.close()
            // Whoever asks once more for what is as good as done gets the same exit code.
            signal(SIGTERM, SIG_IGN)
            signal(SIGINT, SIG_IGN)
            watch.end()
            group.stop()
        }
    }

    /// - Returns: what to serve by, and what of it deserves a second look, one line each.
    private func load(
        _ environment: [String: String], _ manager: ServiceManager, _ companion: CompanionService?
    ) throws -> (Configuration, ClientAuthentication, warnings: [String]) {
        let checked = try options.check()
        let configuration = checked.configuration
        if let companion {
            try configuration.checkServable(isKeyed: true, environment: environment)
            let (own, authentication) = companion.adapt(configuration)
            return (own, authentication, [])
        }
        let authentication = try ClientAuthentication(configuration, environment: environment)
        try configuration.checkServable(isKeyed: authentication.isKeyed, environment: environment)
        for socket in manager.sockets where !authentication.isKeyed { try socket.checkKeylessUse() }
        let warnings = checked.warnings.map(\.description) + configuration.warnings.map { "warning: \($0)" }
        return (configuration, authentication, warnings)
    }

    private func announce(
        _ service: GatewayService, _ configuration: Configuration, _ authentication: ClientAuthentication,
        _ warnings: [String], _ log: LogWriter, _ output: LogWriter, _ announcer: OnDeviceAnnouncer
    ) {
        let banner = Banner(
            configuration: configuration, authentication: authentication, addresses: service.addresses,
            budget: service.budget, models: service.gateway.snapshot.modelNames)
        for line in banner.lines { log.say(line) }
        for warning in warnings { log.say("  \(warning)") }
        for url in banner.listening { output.say("listening on \(url)") }
        let request = FirstRequest(configuration)
        let isReady: @Sendable () -> Void = {
            for line in banner.curl(request) { log.say(line) }
            output.say("ready")
        }
        if request.needsOnDeviceModel { announcer.atFirstReady(isReady) } else { isReady() }
    }

    /// - Returns: nil when the gateway now serves by the file's present text, else why it goes on as before.
    private func reload(
        _ service: GatewayService, _ load: () throws -> (Configuration, ClientAuthentication, warnings: [String]),
        from first: Configuration, _ environment: [String: String], _ log: LogWriter
    ) -> String? {
        do {
            try options.checkIsWritten(environment)
            let (configuration, authentication, warnings) = try load()
            try service.apply(configuration, authentication: authentication)
            log.say(
                "headgate: reloaded (upstreams: \(configuration.upstreams.count), models: \(configuration.models.count), "
                    + "keys: \(configuration.keys.count))")
            if configuration.loops != first.loops {
                log.say("headgate: a changed 'loops' takes effect at the next start")
            }
            for warning in warnings { log.say("  \(warning)") }
            return nil
        } catch {
            let reason = (error as? Complaint)?.message ?? "\(error)"
            log.say("headgate: not reloaded, everything stays as it is:\n\(reason)")
            return reason
        }
    }
}
