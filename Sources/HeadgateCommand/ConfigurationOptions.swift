import ArgumentParser
import CHeadgate
import Glibc
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateNetwork

/// Where the configuration comes from: `--config`, else `HEADGATE_CONFIG`, else the environment alone.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("config")],
        help: "The YAML file to read (HEADGATE_CONFIG names one, too).",
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    /// - Throws: ``Complaint`` with one line per issue when there is any.
    func load() throws -> Configuration { try check().configuration }

    /// The same, with what deserves a second look.
    func check() throws -> CheckedConfiguration {
        let environment = ProcessEnvironment.current
        let surroundings = Surroundings(now: headgate_realtime_nanoseconds() / 1_000_000_000) { host, allowsPrivate in
            guard let address = IPAddress(host),
                case .refused(let reason) = AddressPolicy(allowsPrivate: allowsPrivate).check(address, for: host)
            else { return nil }
            return reason
        }
        return try complaining { () throws(ConfigurationError) in
            try Configuration.check(path: path(environment), environment: environment, surroundings: surroundings)
        }
    }

    /// Every setting in force, with where it came from.
    func explain(_ environment: [String: String]) throws -> [EffectiveSetting] {
        try complaining { () throws(ConfigurationError) in
            try Configuration.explain(path: path(environment), environment: environment)
        }
    }

    /// An empty file is a valid one at the start; under a running gateway it is one that somebody is about to write.
    ///
    /// - Throws: ``Complaint``.
    func checkIsWritten(_ environment: [String: String]) throws {
        guard let path = path(environment) else { return }
        var status = stat()
        guard stat(path, &status) == 0, status.st_size == 0 else { return }
        throw Complaint("\(path):1:1: error: the file is empty: write it, then reload again", exitCode: .configuration)
    }

    /// The file that is read; nil when there is none.
    func path(_ environment: [String: String]) -> String? {
        file ?? environment["HEADGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func complaining<Value>(_ body: () throws(ConfigurationError) -> Value) throws -> Value {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            throw Complaint(error.issues.map(\.description).joined(separator: "\n"), exitCode: .configuration)
        }
    }
}

enum ProcessEnvironment {
    static var current: [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return variables
    }
}

/// What ends a command: a message for people on standard error, and an exit code.
struct Complaint: Error {
    enum Code: Int32 {
        case failure = 1
        /// EX_OSERR of sysexits.
        case system = 71
        /// EX_CONFIG of sysexits.
        case configuration = 78
    }

    let message: String
    let exitCode: Code

    init(_ message: String, exitCode: Code = .failure) {
        self.message = message
        self.exitCode = exitCode
    }
}

/// Writes a line to standard error, unbuffered.
func complain(_ line: String) {
    writeLine(line, to: STDERR_FILENO)
}

/// Writes a line to standard output, unbuffered: whoever waits for it reads a pipe.
func announce(_ line: String) {
    writeLine(line, to: STDOUT_FILENO)
}

private func writeLine(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
}

extension ParsableCommand {
    /// Runs the body and turns a complaint into its message and exit code.
    func reporting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let complaint as Complaint {
            complain(complaint.message.contains(": error: ") ? complaint.message : "headgate: \(complaint.message)")
            throw ExitCode(complaint.exitCode.rawValue)
        } catch let shortage as ThreadShortage {
            complain("headgate: \(shortage)")
            throw ExitCode(Complaint.Code.system.rawValue)
        }
    }
}
