import ArgumentParser
import Glibc

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Make a running gateway read its configuration again.",
        discussion:
            "Waits for the result: exits 0 when the gateway serves by the new configuration, 78 with the reasons when it goes on "
            + "as before.")

    @Option(help: "The process to reload; needed when several gateways of this user run.")
    var pid: Int32?

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            let running = RuntimeRecord.running(environment)
            let gateway = try choose(from: running)
            guard kill(gateway.pid, SIGHUP) == 0 else {
                throw Complaint("cannot signal process \(gateway.pid): it has ended, or belongs to somebody else")
            }
            let after = try wait(for: gateway, environment)
            guard after.failure.isEmpty else {
                throw Complaint("not reloaded, everything stays as it was:\n\(after.failure)", exitCode: .configuration)
            }
            print("reloaded")
        }
    }

    private func choose(from running: [RuntimeRecord.Contents]) throws -> RuntimeRecord.Contents {
        if let pid {
            guard let gateway = running.first(where: { $0.pid == pid }) else {
                throw Complaint("process \(pid) is no gateway of yours that runs now")
            }
            return gateway
        }
        guard let first = running.first else {
            throw Complaint("no gateway of yours runs now: start one with 'headgate serve'")
        }
        guard running.count == 1 else {
            let pids = running.map { String($0.pid) }.joined(separator: ", ")
            throw Complaint("several gateways run (\(pids)): say which with --pid")
        }
        return first
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
