internal import ArgumentParser
internal import CHeadgate
internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgateTesting

/// An upstream that follows a script, for manual use.
@main
struct ScriptedUpstreamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headgate-upstream",
        abstract: "An HTTP upstream that answers, and fails, as a script says.",
        discussion: """
            Without a script it answers GET /v1/models and POST /v1/chat/completions, streams word by word. Prints one \
            line with its address, logs each request on standard error, and ends on SIGTERM or SIGINT.
            """)

    @Option(help: "Where to listen, as IP:PORT; port 0 lets the system choose.")
    var listen = ListenOption(ip: "127.0.0.1", port: 8080)

    @Option(help: "A JSON file with the exchanges.")
    var script: String?

    @Option(
        help: ArgumentHelp(
            "A recording of headgate (docs/cassettes.md) that is played as it was, in place of a script; may be "
                + "repeated.",
            valueName: "file"))
    var cassette: [String] = []

    func validate() throws {
        guard script == nil || cassette.isEmpty else { throw ValidationError("name a script or cassettes, not both") }
    }

    static func main() {
        // This must happen before any code opens a descriptor.
        headgate_open_standard_streams()
        main(nil)
    }

    func run() throws {
        // This must happen before any thread starts, so that all threads leave these signals to sigwait.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        _ = headgate_raise_descriptor_limit()

        let exchanges =
            cassette.isEmpty
            ? try script.map { try ScriptFile.load($0) } ?? .friendly() : try ScriptFile.load(cassettes: cassette)
        let group = try startLoops()
        let upstream = try start(exchanges, on: group)
        print("listening on \(listen.text(port: upstream.port))")
        fflush(nil)

        var signal: Int32 = 0
        sigwait(&signals, &signal)
        upstream.stop()
        group.stop()
    }

    private func startLoops() throws -> EventLoopGroup {
        do throws(ThreadShortage) {
            return try EventLoopGroup(starting: EventLoopGroup.availableProcessors)
        } catch {
            complain("headgate-upstream: \(error)")
            throw ExitCode(EX_OSERR)
        }
    }

    private func start(_ script: UpstreamScript, on group: EventLoopGroup) throws -> ScriptedUpstream {
        do {
            return try ScriptedUpstream(
                group: group, script: script, at: .tcp(ip: listen.ip, port: listen.port), isRecording: false,
                log: { complain("\($0.method) \($0.path) -> \($0.exchange ?? "no exchange fits")") })
        } catch {
            complain("\(listen.text(port: listen.port)): \(error)")
            throw ExitCode.failure
        }
    }
}

/// Writes one line to standard error, in one write.
func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
