internal import CHeadgate
package import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgateNetwork

/// Child in its own process group that cannot outlive this process. Its standard input ends with this process, the
/// kernel kills it when the loop's thread ends, and a ``Caretaker`` ends its descendants. Belongs to one loop.
package final class ChildProcess {
    package enum ErrorOutput {
        /// Goes to this process's standard error.
        case inherited
        /// Is delivered with the standard output.
        case captured
        /// Is discarded.
        case discarded
    }

    /// Receiver of the output.
    package enum Output {
        /// Receives each line without its end, of which at most 4 KiB.
        case lines((String) -> Void)
        /// Receives the bytes as they come; they are valid only during the call.
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
    ///   - arguments: the program, as a path or a name to be found in the `PATH` of its environment, and its arguments.
    ///   - environment: the child's whole environment.
    ///   - startsOthers: whether the child can start processes that outlive it.
    ///   - output: receives its output.
    ///   - exited: called once, after the last output; not called after `deinit`.
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

    /// Starts a child whose output is read line by line.
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

    /// Writes to the child's standard input, which stays open. The text must be short enough for a pipe to take it at
    /// once.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(child.input, bytes, bytes.count)
    }

    /// Asks the child to end, by SIGTERM and by the end of its input.
    package func terminate() {
        closeInput()
        if child.pid > 0 { kill(-child.pid, SIGTERM) }
    }

    package func forceEnd() { if child.pid > 0 { kill(-child.pid, SIGKILL) } }

    /// Closes the child's standard input.
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

    /// Reaps the child if it has ended; otherwise polls again later.
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

/// Reason why a program could not be started.
package enum SpawnError: Error, Equatable, CustomStringConvertible {
    case notInPath(String)
    /// Error of the system, an errno.
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

/// Variables of this process that a child inherits: the places of programs and temporary files, the format of text, the
/// network's proxies and certificates, and the devices for computation. No provider's key is among them.
package enum InheritedEnvironment {
    static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH",
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "REQUESTS_CA_BUNDLE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
        "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
        "HF_HOME", "HF_HUB_CACHE",
    ]

    /// Returns the variables that a child inherits.
    ///
    /// - Parameter also: names of further variables that this child inherits.
    package static func from(_ environment: [String: String], also: Set<String> = []) -> [String: String] {
        environment.filter { names.contains($0.key) || also.contains($0.key) }
    }
}

/// Finds programs as a shell does.
package enum ProgramSearch {
    /// Returns the path of a program; nil if it is not found. A name with a slash is returned unchanged.
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

/// End of a process.
package struct ProcessEnd: Equatable, CustomStringConvertible {
    /// Status as returned by `waitpid`.
    let waitStatus: Int32

    var isSuccess: Bool { waitStatus == 0 }

    /// Description such as "exit status 1".
    package var description: String {
        let signal = waitStatus & 0x7F
        guard signal == 0 else { return "signal \(signal)" }
        let code = waitStatus >> 8 & 0xFF
        // The exit status after a failed exec, as in shells.
        return code == 127 ? "exit status 127 (it cannot be executed)" : "exit status \(code)"
    }
}
