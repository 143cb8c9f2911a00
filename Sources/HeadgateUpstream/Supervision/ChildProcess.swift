internal import CHeadgate
package import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgateNetwork

/// A child in its own process group that cannot outlive this process: its standard input ends with it, the kernel kills
/// it when the loop's thread ends, and a ``Caretaker`` ends its descendants. Belongs to one loop.
package final class ChildProcess {
    package enum ErrorOutput {
        /// Goes where ours goes.
        case inherited
        /// Comes line by line, together with the standard output.
        case captured
        /// Goes nowhere.
        case discarded
    }

    /// Receiver of the output.
    package enum Output {
        /// Receives each line without its end, at most 4 KiB of it.
        case lines((String) -> Void)
        /// Receives the bytes as they come, valid during the call only.
        case bytes((UnsafeRawBufferPointer) -> Void)
    }

    private let loop: EventLoop
    private var child = headgate_child(pid: 0, input: -1, output: -1)
    private var caretaker: Caretaker?
    private var reader: PipeReader?
    /// Becomes readable when the child ends.
    private var watched: Int32 = -1
    private var watch: SocketEvent?
    private var poll: LoopTimer?
    private let exited: (ProcessEnd) -> Void

    /// - Parameters:
    ///   - arguments: the program, by path or found in the `PATH` of its environment, and its arguments.
    ///   - environment: the child's whole environment.
    ///   - startsOthers: whether it can start processes that outlive it.
    ///   - output: called with its output.
    ///   - exited: called once, after the last output; not after ``deinit``.
    /// - Throws: ``SpawnError``.
    package init(
        loop: EventLoop, arguments: [String], environment: [String: String], errorOutput: ErrorOutput = .inherited,
        startsOthers: Bool = true, output: Output, exited: @escaping (ProcessEnd) -> Void
    ) throws(SpawnError) {
        self.loop = loop
        self.exited = exited
        let name = arguments.first ?? ""
        guard let program = ProgramSearch.find(name, in: environment) else { throw .notInPath(name) }
        let spawn =
            switch errorOutput {
            case .inherited: headgate_spawn
            case .captured: headgate_spawn_captured
            case .discarded: headgate_spawn_silenced
            }
        let status = withCStrings(arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                program.withCString { spawn($0, arguments, environment, &child) }
            }
        }
        guard status == 0 else { throw .system(-status) }
        caretaker = startsOthers ? Caretaker(ofGroup: child.pid) : nil
        reader = PipeReader(loop: loop, descriptor: child.output, output: output)
        watchForEnd()
    }

    /// A child whose output is read line by line.
    package convenience init(
        loop: EventLoop, arguments: [String], environment: [String: String], errorOutput: ErrorOutput = .inherited,
        startsOthers: Bool = true, line: @escaping (String) -> Void, exited: @escaping (ProcessEnd) -> Void
    ) throws(SpawnError) {
        try self.init(
            loop: loop, arguments: arguments, environment: environment, errorOutput: errorOutput,
            startsOthers: startsOthers, output: .lines(line), exited: exited)
    }

    deinit {
        closeInput()
        stopWatching()
        if child.pid > 0 { kill(-child.pid, SIGKILL) }
    }

    var processID: Int32 { child.pid }

    /// Writes to the child's standard input, which stays open. For short texts: a pipe holds them at once.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(child.input, bytes, bytes.count)
    }

    /// Asks the child to end. It also sees the end of its input.
    package func terminate() {
        closeInput()
        if child.pid > 0 { kill(-child.pid, SIGTERM) }
    }

    package func forceEnd() { if child.pid > 0 { kill(-child.pid, SIGKILL) } }

    /// Ends the child's standard input.
    package func closeInput() {
        if child.input >= 0 { close(child.input) }
        child.input = -1
    }

    private func watchForEnd() {
        watched = headgate_watch_child(child.pid)
        guard watched >= 0 else { return pollLater() }
        watch = SocketEvent(loop: loop, descriptor: watched, kind: .read) { [unowned self] in reap() }
        watch?.add()
    }

    private func stopWatching() {
        watch?.remove()
        if watched >= 0 { close(watched) }
        watched = -1
    }

    /// Polls for the end, if the kernel does not report it.
    private func pollLater() {
        let timer = poll ?? LoopTimer(loop: loop) { [unowned self] in reap() }
        poll = timer
        timer.schedule(after: .milliseconds(50))
    }

    /// Ends this if the child has ended.
    private func reap() {
        var status: Int32 = 0
        if headgate_reap(child.pid, &status) == 0 { return pollLater() }
        // Descendants of the child would keep its port and its memory.
        kill(-child.pid, SIGKILL)
        caretaker = nil
        child.pid = 0
        closeInput()
        stopWatching()
        reader?.finish()
        exited(ProcessEnd(waitStatus: status))
    }
}

/// Why a program could not be started.
package enum SpawnError: Error, Equatable, CustomStringConvertible {
    case notInPath(String)
    /// The system's reason, an errno.
    case system(Int32)

    package var description: String {
        switch self {
        case .notInPath(let name): "'\(name)' is not in PATH: write its whole path"
        case .system(let error): systemErrorText(error)
        }
    }
}

/// Calls `body` with a null-terminated array of C strings.
package func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
}

/// The variables of ours that a child gets: where programs and temporary files are, how text is written, which way the
/// network goes, and which devices compute. No provider's key is among them.
package enum InheritedEnvironment {
    static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH",
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "REQUESTS_CA_BUNDLE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
        "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
        "HF_HOME", "HF_HUB_CACHE",
    ]

    /// - Parameter also: further names that this child may have.
    package static func from(_ environment: [String: String], also: Set<String> = []) -> [String: String] {
        environment.filter { names.contains($0.key) || also.contains($0.key) }
    }
}

/// Finds programs as a shell does.
package enum ProgramSearch {
    /// The path of a program, or nil. A name with a slash is a path already and is not looked for.
    package static func find(_ program: String, in environment: [String: String]) -> String? {
        if program.contains("/") { return program }
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }.first {
            $0.hasPrefix("/") && access($0, X_OK) == 0
        }
    }

    /// Whether a program can be found and executed.
    package static func canExecute(_ program: String, in environment: [String: String]) -> Bool {
        find(program, in: environment).map { access($0, X_OK) == 0 } ?? false
    }
}

/// How a process ended.
package struct ProcessEnd: Equatable, CustomStringConvertible {
    /// As `waitpid` gives it.
    let waitStatus: Int32

    var isSuccess: Bool { waitStatus == 0 }

    /// Such as "exit status 1".
    package var description: String {
        let signal = waitStatus & 0x7F
        guard signal == 0 else { return "signal \(signal)" }
        let code = waitStatus >> 8 & 0xFF
        // The exit status after a failed exec, as shells use it too.
        return code == 127 ? "exit status 127 (it cannot be executed)" : "exit status \(code)"
    }
}
