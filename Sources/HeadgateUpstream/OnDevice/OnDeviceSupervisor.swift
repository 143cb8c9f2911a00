internal import Glibc
internal import HeadgateEventLoop
internal import HeadgateNetwork

/// Installs the on-device model, runs its server, and starts it again when it ends. Confined to one loop.
final class OnDeviceSupervisor {
    private let loop: EventLoop
    private let folders: OnDeviceFolders
    private let environment: [String: String]
    private let key: String
    private let observer: (OnDeviceState) -> Void
    private var child: ChildProcess?
    private var restart: LoopTimer?
    private var forcedEnd: LoopTimer?
    private var failures = 0
    private var complaint: String?
    private var whenStopped: (() -> Void)?
    private var isStopping = false

    init(
        loop: EventLoop, folders: OnDeviceFolders, environment: [String: String], key: String,
        observer: @escaping (OnDeviceState) -> Void
    ) {
        self.loop = loop
        self.folders = folders
        self.environment = environment
        self.key = key
        self.observer = observer
    }

    func start() {
        run(["install", "--into", folders.data]) { [unowned self] line in
            if line == "done" { failures = 0 } else { report(line) }
        } exited: { [unowned self] status in
            if status == 0 {
                serve()
            } else {
                observer(.failed(complaint ?? "the on-device model could not be installed"))
            }
        }
    }

    private func serve() {
        complaint = nil
        run(["serve", "--models", folders.data, "--socket", folders.socket, "--alias", OnDeviceModel.modelName]) {
            [unowned self] line in
            if line == "ready" {
                failures = 0
                observer(.ready)
            } else {
                report(line)
            }
        } exited: { [unowned self] _ in
            scheduleRestart()
        }
        child?.send(key + "\n")
    }

    private func report(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return }
        switch words[0] {
        case "progress": observer(.starting(String(words[1])))
        case "error": complaint = String(words[1])
        default: break
        }
    }

    /// 0.5 s after the first failure, twice as long after each further one, at most 30 s.
    private func scheduleRestart() {
        let delay = min(30_000, 500 << min(failures, 6))
        failures += 1
        if failures > 5, let complaint { return observer(.failed(complaint)) }
        observer(.restarting)
        let timer = restart ?? LoopTimer(loop: loop) { [unowned self] in serve() }
        restart = timer
        timer.schedule(after: .milliseconds(delay))
    }

    private func run(
        _ arguments: [String], line: @escaping (String) -> Void, exited: @escaping (Int32) -> Void
    ) {
        guard !isStopping else { return }
        guard let python = OnDeviceSupervisor.find("python3", in: environment["PATH"] ?? "/usr/bin:/bin") else {
            return observer(
                .failed("python3 is not installed: the on-device model needs Python 3.10 or newer with pip"))
        }
        do {
            child = try ChildProcess(
                loop: loop, arguments: [python, "-I", folders.script] + arguments,
                environment: environment.filter { OnDeviceSupervisor.passedOn.contains($0.key) }, line: line
            ) { [unowned self] status in
                child = nil
                if isStopping { stopped() } else { exited(status) }
            }
        } catch let error as SpawnError {
            observer(.failed("cannot start \(python): \(systemErrorText(error.error))"))
        } catch {
            observer(.failed("cannot start \(python)"))
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
        forcedEnd?.cancel()
        let done = whenStopped
        whenStopped = nil
        done?()
    }

    /// Where programs, temporary files and package indexes are; no provider's key is among them.
    private static let passedOn: Set<String> = [
        "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "PIP_INDEX_URL",
        "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_CERT", "PIP_CONFIG_FILE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE",
        "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
    ]

    private static func find(_ program: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(program)" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}
