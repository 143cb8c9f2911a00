import ArgumentParser
import HeadgateConfiguration
import HeadgateEnvironment
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgateService

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program that uses the gateway and gets no provider's key.",
        usage: "headgate run [<options>] [--] <program> [<arguments> ...]",
        discussion: """
            The program's environment points the libraries of OpenAI and Anthropic at the gateway, with the gateway's \
            key. Keys and addresses of providers are removed from it: known names, variables of the configuration, and \
            values that look like keys. Codex gets the same as settings, because it reads no such variable. If no \
            gateway runs, the command starts one that ends with the program.

            Examples:
              headgate run python my_app.py
              headgate run -- claude
              headgate run --keep HF_TOKEN -- aider --model openai/fast
              headgate run -- env | grep -E '_BASE_URL|_KEY'

            The exit code is that of the program, or 128 plus the signal that ended it. It is 127 if the program does \
            not exist, and 126 if it cannot run.
            """)

    @OptionGroup var gateway: GatewayOptions

    @Option(
        name: .customLong("keep"),
        help: ArgumentHelp("Variable that stays, even if it is a key. Can be repeated.", valueName: "name"),
        completion: .custom { _, _, prefix in ProcessEnvironment.current.keys.filter { $0.hasPrefix(prefix) }.sorted() }
    )
    var kept: [String] = []

    @Flag(name: .shortAndLong, help: "Do not print what was set and removed.")
    var quiet = false

    @Argument(
        parsing: .captureForPassthrough, help: ArgumentHelp("The program and its arguments.", valueName: "program"),
        completion: ProgramNames.completion)
    var command: [String] = []

    private var program: [String] { command.first == "--" ? Array(command.dropFirst()) : command }

    func validate() throws {
        guard let name = program.first, !name.isEmpty else {
            throw ValidationError("Name the program: headgate run -- PROGRAM ARGUMENTS")
        }
        // All arguments that are unknown here belong to the program.
        if command.first != "--", ["-h", "--help"].contains(name) { throw CleanExit.helpRequest(self) }
        guard command.first == "--" || !name.hasPrefix("-") else {
            throw ValidationError("Unknown option '\(name)'. What belongs to the program comes after its name.")
        }
    }

    func run() throws {
        try reporting {
            let group = try EventLoopGroup(starting: 1)
            let relay = try SignalRelay(group: group)
            do {
                let found = try ReachableGateway.find(gateway, group: group, relay: relay, needsTCP: true) { line in
                    if !quiet { complain("headgate: \(line)") }
                }
                defer { found.close() }
                let address = try address(of: found)
                let environment = try environment(leadingTo: address)
                // From here on, signals are for the program. Earlier signals were for the command.
                relay.end()
                if let signal = relay.last { throw Interruption(signal: signal) }
                let launch = ProgramLaunch(
                    arguments: ProgramArguments.leading(program, to: address), environment: environment,
                    replaces: !found.isCompanion)
                throw ExitCode(launch.run())
            } catch let interruption as Interruption {
                throw ExitCode(interruption.exitCode)
            }
        }
    }

    private func address(of found: ReachableGateway) throws -> GatewayAddress {
        guard let url = found.root.text else { throw Complaint("no address for a program") }
        let host = found.root.host
        return GatewayAddress(
            url: url, host: host, isLoopback: HostName.isLoopback(host),
            key: try key(of: found, ProcessEnvironment.current))
    }

    private func environment(leadingTo gateway: GatewayAddress) throws -> ProgramEnvironment {
        let original = ProcessEnvironment.current
        let environment = ProgramEnvironment(
            original, program: program[0], gateway: gateway, secrets: try secrets(original), kept: Set(kept))
        if !quiet {
            let removed = environment.removed.isEmpty ? "nothing" : environment.removed.joined(separator: ", ")
            complain("headgate: \(gateway.url), set \(environment.set.joined(separator: ", ")); removed \(removed)")
        }
        return environment
    }

    /// Returns the key. A keyless gateway accepts any word, but libraries require one.
    private func key(of found: ReachableGateway, _ environment: [String: String]) throws -> String {
        if let key = found.key { return key }
        if try gateway.chosenURL(environment) == nil,
            try !gateway.configuration.source.loadWithoutSecrets().keys.isEmpty
        {
            throw Complaint(
                "the gateway takes the keys of its configuration, which holds only their digests: give one of them in "
                    + "HEADGATE_KEY, or a file with it in --key-file")
        }
        return "none-needed"
    }

    /// Returns the variables with secrets of the configuration, and systemd's folder of credentials.
    private func secrets(_ environment: [String: String]) throws -> Set<String> {
        let path = gateway.configuration.source.path
        do {
            let names = try Configuration.secretVariables(path: path, environment: environment)
            return names.union(["CREDENTIALS_DIRECTORY"])
        } catch {
            // The gateway is elsewhere, and without a file all variables are well known.
            if path == nil { return ["CREDENTIALS_DIRECTORY"] }
            throw Complaint(
                "the configuration that names the variables to remove has errors:\n"
                    + error.issues.map(\.description).joined(separator: "\n"), exitCode: .configuration)
        }
    }
}

extension BaseURL {
    /// The host without brackets and port.
    fileprivate var host: String {
        switch endpoint {
        case .tcp(let host, _), .tls(let host, _): host
        case .unix: "localhost"
        }
    }
}
