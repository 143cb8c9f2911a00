internal import HeadgateEventLoop
internal import HeadgateNetwork

/// Installs the on-device model, runs its server, and restarts it when it ends. Confined to one loop.
final class OnDeviceSupervisor {
    private let file: String?
    private let name: String
    private let loop: EventLoop
    private let folders: OnDeviceFolders
    private let environment: [String: String]
    private let key: String
    private let observer: (OnDeviceState) -> Void
    private var child: ChildProcess?
    private var restart: LoopTimer?
    private var forcedEnd: LoopTimer?
    private var backoff = RestartBackoff()
    private var complaint: String?
    private var whenStopped: (() -> Void)?
    private var isStopping = false

    init(
        file: String?, name: String, loop: EventLoop, folders: OnDeviceFolders, environment: [String: String],
        key: String,
        observer: @escaping (OnDeviceState) -> Void
    ) {
        self.file = file
        self.name = name
        self.loop = loop
        self.folders = folders
        self.environment = environment
        self.key = key
        self.observer = observer
    }

    func start() {
        run(["install", "--into", folders.data]) { [unowned self] line in
            if line == "done" { backoff.reset() } else { report(line) }
        } exited: { [unowned self] status in
            if status.isSuccess {
                serve()
            } else {
                observer(.failed(complaint ?? "the on-device model could not be installed"))
            }
        }
    }

    private func serve() {
        complaint = nil
        let arguments =
            ["serve", "--models", folders.data, "--socket", folders.socket, "--alias", name]
            + (file.map { ["--model", $0] } ?? []) + (wantsLog ? ["--log"] : [])
        run(arguments) { [unowned self] line in
            if line == "ready" || line == "ready tools" {
                backoff.reset()
                observer(.ready(takesTools: line != "ready"))
            } else {
                report(line)
            }
        } exited: { [unowned self] _ in
            scheduleRestart()
        }
        child?.send(key + "\n")
    }

    /// Whether llama.cpp's own lines go to the log.
    private var wantsLog: Bool { !["", "0"].contains(environment["HEADGATE_ON_DEVICE_LOG"] ?? "") }

    private func report(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return }
        switch words[0] {
        case "progress": observer(.starting(String(words[1])))
        case "error": complaint = String(words[1])
        default: break
        }
    }

    private func scheduleRestart() {
        let delay = backoff.next()
        if backoff.failures > 5, let complaint { return observer(.failed(complaint)) }
        observer(.restarting)
        let timer = restart ?? LoopTimer(loop: loop) { [unowned self] in serve() }
        restart = timer
        timer.schedule(afterNanoseconds: delay)
    }

    private func run(
        _ arguments: [String], line: @escaping (String) -> Void, exited: @escaping (ProcessEnd) -> Void
    ) {
        guard !isStopping else { return }
        guard let python = ProgramSearch.find("python3", in: environment) else {
            return observer(
                .failed("python3 is not installed: the on-device model needs Python 3.10 or newer with pip"))
        }
        do {
            child = try ChildProcess(
                loop: loop, arguments: [python, "-I", folders.script] + arguments,
                environment: InheritedEnvironment.from(environment, also: OnDeviceSupervisor.packageIndexes), line: line
            ) { [unowned self] status in
                child = nil
                if isStopping { stopped() } else { exited(status) }
            }
        } catch {
            observer(.failed("cannot start \(python): \(error)"))
        }
    }

    func stop(_ done: @escaping () -> Void) {
        isStopping = true
        whenStopped = done
        restart?.cancel()
        guard let child else { return stopped() }
        child.terminate()
        forcedEnd = LoopTimer(loop: loop) { [unowned self] in self.child?.forceEnd() }
        forcedEnd?.schedule(after: .seconds(2))
    }

    private func stopped() {
        // Another thread may release this object, and timers belong to the loop.
        (forcedEnd, restart) = (nil, nil)
        whenStopped.take()?()
    }

    /// Variables with pip's package indexes.
    private static let packageIndexes: Set<String> = [
        "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_CERT", "PIP_CONFIG_FILE",
    ]
}
