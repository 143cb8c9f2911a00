import ArgumentParser
import HeadgateConfiguration
import HeadgateDiagnosis
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateService

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check a running gateway, and what stands in front of it, from end to end.",
        discussion: """
            Asks a model for a whole answer and for streams, and judges how they arrive: time to the first event, \
            gaps, buffering, compression, the end marker, UTF-8, cancelling, errors. With the --url of a reverse \
            proxy it asks through that, and compares with the gateway behind it where this machine can reach it.

            Examples:
              headgate doctor
              headgate doctor --model fast --verbose
              headgate doctor --url https://llm.example.com
              headgate doctor --json | jq '.checks[] | select(.verdict == "failed")'

            Exits 0 if no check failed, else 1. It asks for a few hundred tokens. It starts no gateway.
            """)

    @OptionGroup var gateway: GatewayOptions

    @Option(
        help: ArgumentHelp(
            "The gateway itself, to compare with; default: where the configuration makes it listen, if it answers.",
            valueName: "url"))
    var direct: String?

    @Option(
        name: .shortAndLong, help: "The model to ask; default: the first listed one that answers.",
        completion: ModelNames.completion)
    var model: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say of every check why it is made.")
    var verbose = false

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            let group = try EventLoopGroup(starting: 1)
            defer { group.stop() }
            let targets = try DoctorTargets(self, environment, group: group)
            let isWatched = !json && isatty(STDERR_FILENO) == 1
            let examination = Examination(
                targets: targets, model: model, network: DoctorNetwork(group: group),
                others: [try traces(targets.configuration), keyCommands(targets.configuration)].compactMap(\.self),
                say: { if isWatched { complain("headgate: \($0) ...") } },
                sayAloud: { complain("headgate: \($0)") })
            let report = examination.runToEnd(on: group.loops[0])
            show(report, environment)
            if !report.isHealthy { throw ExitCode(1) }
        }
    }

    /// Returns the finding about traces; nil if nothing is traced, as far as is known here.
    private func traces(_ configuration: Configuration?) throws -> Finding? {
        guard let tracing = configuration?.tracing else { return nil }
        let found = try TracesCheck(tracing: tracing).finding()
        let origin = TracesCheck.origin(in: try gateway.configuration.source.explain())
        let words = found.words + (origin.map { " (\($0))" } ?? "")
        // A failure is only a warning, because it loses nothing but spans.
        return Finding(
            .traces, found.works ? .ok : .warning, words,
            advice: found.works ? nil : "Start the collector, or correct 'tracing: {otlp: ...}' or the variable.")
    }

    /// Returns the finding about key commands; nil if no key comes from a command, as far as is known here.
    private func keyCommands(_ configuration: Configuration?) -> Finding? {
        let commands = configuration?.upstreams.compactMap { upstream in
            upstream.keyCommand?.arguments.first.map { "\(upstream.name): api_key: from command \($0)" }
        }
        guard let configuration, let commands, !commands.isEmpty else { return nil }
        let unusable = configuration.unusablePrograms(ProcessEnvironment.current).filter { $0.contains(": api_key: ") }
        return Finding(
            .keyCommands, unusable.isEmpty ? .ok : .warning, (commands + unusable).joined(separator: "; "),
            advice: unusable.isEmpty ? nil : "Install the program, or write its whole path.")
    }

    private func show(_ report: DiagnosisReport, _ environment: [String: String]) {
        guard !json else { return announce(String(decoding: report.json, as: UTF8.self)) }
        let isColoured =
            isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        announce(report.lines(isColoured: isColoured, isVerbose: verbose).joined(separator: "\n"))
    }
}
