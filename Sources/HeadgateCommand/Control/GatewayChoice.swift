import ArgumentParser
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

/// Options that select a running gateway, and signals to it.
struct GatewayChoice: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: "Configuration file of the gateway (or HEADGATE_CONFIG).",
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    @Option(help: "Process of the gateway.")
    var pid: Int32?

    /// Finds the selected gateway.
    ///
    /// - Throws: ``Complaint`` if the selection is ambiguous or has no match.
    func find() throws -> RuntimeRecord.Contents {
        let environment = ProcessEnvironment.current
        let running = RuntimeRecord.running(environment)
        if let former = running.first(where: { $0.pid == pid }), let successor = former.successor {
            throw Complaint(
                "process \(former.pid) only finishes what is in flight: process \(successor) serves instead")
        }
        return try choose(from: running.filter { $0.successor == nil }, environment)
    }

    /// Sends a signal to the gateway and waits for the result.
    ///
    /// - Parameters:
    ///   - result: The expected result, as in "not reloaded".
    ///   - limit: Maximum wait in seconds.
    /// - Returns: The record of the gateway that serves afterwards.
    /// - Throws: ``Complaint`` if the gateway refuses, fails or does not respond.
    static func signal(
        _ number: Int32, to gateway: RuntimeRecord.Contents, for result: String, within limit: Int
    ) throws -> RuntimeRecord.Contents {
        let name = Neutralised.line(gateway.summary)
        guard kill(gateway.pid, number) == 0 else {
            throw Complaint("cannot signal \(name): it has ended, or belongs to another user")
        }
        let after = try wait(for: gateway, ProcessEnvironment.current, limit)
        guard after.failure.isEmpty else {
            throw Complaint(
                "\(name): not \(result), everything stays as it was:\n\(Neutralised.text(after.failure))",
                exitCode: .configuration)
        }
        return after
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

    /// - Returns: A predicate for matching gateways, and a description of the selection that begins with a space.
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

    private static func wait(
        for gateway: RuntimeRecord.Contents, _ environment: [String: String], _ limit: Int
    ) throws -> RuntimeRecord.Contents {
        // The file is small and the wait is short, so polling suffices.
        for _ in 0..<100 * limit {
            usleep(10_000)
            let running = RuntimeRecord.running(environment)
            // The gateway itself might have ended since.
            if let successor = running.first(where: { $0.predecessor == gateway.pid }) { return successor }
            guard let now = running.first(where: { $0.pid == gateway.pid }) else {
                throw Complaint("process \(gateway.pid) ended meanwhile")
            }
            // An operation that was already under way might have read the old file. If the successor is not listed, the
            // folder was read before it began to serve.
            if now.ended > gateway.begun, now.successor == nil { return now }
        }
        throw Complaint("process \(gateway.pid) did not report a result within \(limit) s: look at its log")
    }
}

extension RuntimeRecord.Contents {
    fileprivate func runs(by path: String) -> Bool { file.map { FilePath.isSame($0, path) } ?? false }
}
