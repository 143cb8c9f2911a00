import ArgumentParser
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the configuration of a running gateway.",
        discussion: """
            The command waits for the result, and prints the gateway's process, addresses and file. It exits with 0 if \
            the new configuration is in force. It exits with 78 and the reasons if the gateway keeps the old one.

            --config or --pid chooses the gateway; HEADGATE_CONFIG names a file, too. Without any of them, the gateway \
            with the file that other commands find is reloaded. If that is not clear, the command lists the gateways.
            """)

    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: "Configuration file of the gateway to reload (or HEADGATE_CONFIG).",
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    @Option(help: "Process of the gateway to reload.")
    var pid: Int32?

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            let gateway = try choose(from: RuntimeRecord.running(environment), environment)
            let name = Neutralised.line(gateway.summary)
            guard kill(gateway.pid, SIGHUP) == 0 else {
                throw Complaint("cannot signal \(name): it has ended, or belongs to somebody else")
            }
            let after = try wait(for: gateway, environment)
            guard after.failure.isEmpty else {
                throw Complaint(
                    "\(name): not reloaded, everything stays as it was:\n\(Neutralised.text(after.failure))",
                    exitCode: .configuration)
            }
            print("reloaded \(Neutralised.line(after.summary))")
        }
    }

    private func choose(
        from running: [RuntimeRecord.Contents], _ environment: [String: String]
    ) throws -> RuntimeRecord.Contents {
        guard !running.isEmpty else {
            throw Complaint("no gateway of yours runs now: start one with 'headgate serve'")
        }
        let (wanted, wish) = wanted(environment)
        let fitting = running.filter(wanted)
        if fitting.count == 1 { return fitting[0] }
        if fitting.count > 1, pid == nil, let place = ConfigurationSource(file: file, environment: environment).place {
            let found = fitting.filter { $0.runs(by: place.path) }
            if found.count == 1 { return found[0] }
        }
        let list = (fitting.isEmpty ? running : fitting).map { "\n  \(Neutralised.line($0.summary))" }.joined()
        guard fitting.isEmpty else {
            throw Complaint("several gateways run\(wish): say which with --config or --pid\(list)")
        }
        throw Complaint("no gateway of yours runs\(wish); these do:\(list)")
    }

    /// - Returns: which gateways may be meant, and how that was said, after a space.
    private func wanted(_ environment: [String: String]) -> ((RuntimeRecord.Contents) -> Bool, String) {
        let variable = environment["HEADGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        switch (pid, file ?? (pid == nil ? variable : nil)) {
        case (let pid?, let file?):
            return ({ $0.pid == pid && $0.runs(by: file) }, " as process \(pid) by \(Neutralised.line(file))")
        case (let pid?, nil): return ({ $0.pid == pid }, " as process \(pid)")
        case (nil, let path?):
            let source = file == nil ? " (from HEADGATE_CONFIG)" : ""
            return ({ $0.runs(by: path) }, " by \(Neutralised.line(FilePath.absolute(path)))\(source)")
        case (nil, nil): return ({ _ in true }, "")
        }
    }

    private func wait(
        for gateway: RuntimeRecord.Contents, _ environment: [String: String]
    ) throws -> RuntimeRecord.Contents {
        // The file is tiny and the wait short: looking again beats watching.
        for _ in 0..<1000 {
            usleep(10_000)
            guard let now = RuntimeRecord.running(environment).first(where: { $0.pid == gateway.pid }) else {
                throw Complaint("process \(gateway.pid) ended meanwhile")
            }
            // One that was under way may have read the old file.
            if now.ended > gateway.begun { return now }
        }
        throw Complaint("process \(gateway.pid) has not said within 10 s how the reload went: look at its log")
    }
}

extension RuntimeRecord.Contents {
    fileprivate func runs(by path: String) -> Bool { file.map { FilePath.isSame($0, path) } ?? false }
}
