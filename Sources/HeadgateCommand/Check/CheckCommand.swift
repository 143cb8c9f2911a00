import ArgumentParser
import HeadgateConfiguration
import HeadgateService
import HeadgateTerminal

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration without starting the gateway.",
        discussion: """
            If there are problems, the command prints each as file:line:column: error: message, and exits with 78. \
            Otherwise it prints every setting with its origin and without secrets, then the maximum of connections and \
            memory, then 'ok', and exits with 0.

            --live checks each upstream: whether it is reachable, accepts the key, and has the configured models. It \
            also checks the collector of traces, the tables in PostgreSQL, and the server in 'counters'.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(name: .shortAndLong, help: "Print problems only.")
    var quiet = false

    @Flag(
        help:
            ArgumentHelp(
                "Check upstreams with their real keys, the collector of traces, PostgreSQL and the counters' server. "
                    + "Exits with 1 if one does not work. Starts no program.")
    )
    var live = false

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            let source = options.source
            let checked = try source.check()
            if let place = source.place, place.naming == .found {
                complain("headgate: the configuration is \(Neutralised.line(place.path)), found automatically")
            }
            let configuration = checked.configuration
            // A key that the gateway would create at its start is not created here.
            let isKeyed = !configuration.keys.isEmpty || ClientAuthentication.needsKey(configuration, environment)
            try configuration.checkServable(isKeyed: isKeyed, environment: environment)
            for warning in checked.warnings { complain("\(warning)") }
            let retired = RetiredModels.warnings(of: configuration)
            let commands = configuration.unusablePrograms(environment)
            for warning in configuration.warnings + commands + configuration.unreadableRecordings + retired {
                complain("warning: \(warning)")
            }
            if !quiet {
                for line in try settings() { print(line) }
                let budget = ConnectionBudget.raisingLimit(for: configuration.limits)
                print(
                    "bounds: \(budget.downstream) connections (\(budget.reason)); "
                        + configuration.limits.memoryCeiling(connections: budget.downstream)
                        + "  # the limits above, in all")
            }
            if live { try checkLive(configuration, environment) }
            let counts = [
                ("upstreams", configuration.upstreams.count), ("models", configuration.models.count),
                ("keys", configuration.keys.count),
            ].map { "\($0): \($1)" }
            let addresses = configuration.listeners.map(\.address.description).joined(separator: ", ")
            print("ok (\(counts.joined(separator: ", "))), listening on \(addresses)")
        }
    }

    private func checkLive(_ configuration: Configuration, _ environment: [String: String]) throws {
        let findings = try LiveCheck(configuration: configuration, environment: environment).findings()
        for finding in findings where !quiet || !finding.works { print(finding.line) }
        let traces = try configuration.tracing.map { try TracesCheck(tracing: $0).finding() }
        if let traces, !quiet || !traces.works { print(traces.line) }
        let servers = try RedisCheck.all(of: configuration).map { try $0.finding() }
        for server in servers where !quiet || !server.works { print(server.line) }
        let ledger: PostgreSQLFinding? =
            if case .postgreSQL(let url) = configuration.ledger.place { PostgreSQLFinding(url) } else { nil }
        if let ledger, !quiet || !ledger.works {
            print("ledger: \(ledger.works ? "" : "FAILED: ")\(Neutralised.line(ledger.words))")
        }
        let failed = findings.filter { !$0.works }.count
        guard failed == 0 else {
            throw Complaint("\(failed) of \(findings.count) upstreams \(failed == 1 ? "does" : "do") not work")
        }
        if let traces, !traces.works { throw Complaint("the collector of traces does not work") }
        if let server = servers.first(where: { !$0.works }) {
            throw Complaint("the server in '\(server.key)' does not work")
        }
        if let ledger, !ledger.works { throw Complaint("the ledger's database does not work") }
    }

    /// Returns one line per setting: path, value and origin.
    private func settings() throws -> [String] {
        let settings = try options.source.explain()
        let width = min(60, settings.map { $0.path.count + $0.value.count + 2 }.max() ?? 0)
        return settings.map { setting in
            let text = "\(setting.path): \(setting.value)"
            return text + String(repeating: " ", count: max(1, width - text.count + 2)) + "# \(setting.origin)"
        }
    }
}

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of the configuration file.",
        discussion:
            "For editors: save it, and begin the file with '# yaml-language-server: $schema=PATH' to get completion "
            + "and checks."
    )

    func run() { print(ConfigurationSchema.json, terminator: "") }
}
