import ArgumentParser
import HeadgateConfiguration
import HeadgateService
import HeadgateUpstream

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the gateway.",
        discussion:
            "SIGTERM or SIGINT lets requests in flight finish (30 s at most) and exits 0; a second one ends them at "
            + "once. SIGHUP, or 'headgate reload', reads the configuration again, and --watch does so whenever it has "
            + "changed. SIGHUP from a terminal that was closed ends the gateway as SIGTERM does, except under nohup. "
            + "SIGUSR1 reopens the log file. SIGUSR2 starts the handover of 'headgate upgrade'."
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "Answer from the recordings in a folder, and send nothing. Without --config it serves the models that they "
                + "hold, without keys, on a free port (or HEADGATE_LISTEN).",
            valueName: "folder"),
        completion: .directory)
    var replay: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen, in place of the configuration's addresses (HEADGATE_LISTEN is the same): a port of "
                + "127.0.0.1 such as 9000, HOST:PORT, or unix:PATH.",
            valueName: "address"))
    var listen: String?

    @Flag(
        help: "Read the configuration again when it, or a file that it names, has changed; a mistake changes nothing.")
    var watch = false

    /// For commands that start their own gateway; see ``CompanionService``.
    @Flag(help: .hidden) var companion = false

    func run() throws {
        ServiceProcess.prepare()
        try reporting {
            // This comes first, because the data from the service manager and an earlier gateway is for this process
            // only, and not for its children.
            let predecessor = try Predecessor.adopt(ProcessEnvironment.current)
            do {
                try serve(after: predecessor)
            } catch {
                predecessor?.refuse((error as? Complaint)?.message ?? "\(error)")
                throw error
            }
        }
    }

    private func serve(after predecessor: Predecessor?) throws {
        let manager = try ServiceManager.adopt(predecessor?.managerSockets ?? [])
        var environment = ProcessEnvironment.current
        if let listen { environment["HEADGATE_LISTEN"] = try checked(listen) }
        let process = try ServiceProcess(
            ConfigurationSource(file: options.file, replaying: replay, environment: environment),
            environment: environment, manager: manager,
            companion: companion ? try CompanionService.adopt(environment) : nil, watches: watch,
            predecessor: predecessor, successor: successor(environment))
        try process.open()
        announce(process)
        process.run()
    }

    /// Returns the command line that runs the program again, in the version that is installed then, because its path
    /// can be a link.
    private func successor(_ environment: [String: String]) -> [String]? {
        guard let name = CommandLine.arguments.first,
            let path = ProgramSearch.find(name, in: environment) ?? ProgramFile.path
        else { return nil }
        // The environment contains the address.
        return [FilePath.absolute(path), "serve"] + (options.file.map { ["--config", $0] } ?? [])
            + (watch ? ["--watch"] : [])
    }

    private func checked(_ listen: String) throws -> String {
        do {
            return try ListenAddress(parsing: listen).description
        } catch {
            throw Complaint("--listen: \(error.message)", exitCode: .configuration)
        }
    }

    private func announce(_ process: ServiceProcess) {
        let (service, log, output) = (process.service, process.log, process.output)
        let banner = Banner(
            configuration: service.configuration, authentication: process.first.authentication,
            addresses: service.addresses, budget: service.budget, place: process.source.place)
        // The lines are written at once, so that no log line comes between them.
        log.say((banner.lines + process.first.warnings.map { "  \($0)" }).joined(separator: "\n"))
        for url in banner.listening { output.say("listening on \(url)") }
        let request = FirstRequest(service.configuration, today: RetiredModels.day())
        let isReady: @Sendable () -> Void = {
            log.say(banner.curl(request))
            output.say("ready")
        }
        if request.needsOnDeviceModel { process.onDevice.atFirstReady(isReady) } else { isReady() }
    }
}

extension ServeCommand {
    /// Reads the usual command lines of a gateway without the command tree, which slows the start.
    ///
    /// - Returns: nil if the arguments contain anything else, a mistake, or a value that could be an option.
    static func plain(_ arguments: [String]) -> ServeCommand? {
        var options = ConfigurationOptions()
        options.file = nil
        // In an initializer, these assignments would set the definitions of the options, not their values.
        var command = ServeCommand()
        (command.watch, command.companion) = (false, false)
        (command.listen, command.replay) = (nil, nil)
        var rest = arguments.first == "serve" ? arguments.dropFirst() : arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--watch" where !command.watch:
                command.watch = true
                continue
            case "--config" where options.file == nil: options.file = rest.first
            case "--listen" where command.listen == nil: command.listen = rest.first
            default: return nil
            }
            guard let value = rest.popFirst(), !value.hasPrefix("-") else { return nil }
        }
        command.options = options
        return command
    }
}
