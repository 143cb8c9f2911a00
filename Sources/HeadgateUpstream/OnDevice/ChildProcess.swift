internal import CHeadgate
internal import Glibc
internal import HeadgateEventLoop

/// A child in its own process group that cannot outlive us: its standard input ends with us, and the kernel kills it when the loop's
/// thread ends. Belongs to one loop.
final class ChildProcess {
    private let loop: EventLoop
    private var child = headgate_child(pid: 0, input: -1, output: -1)
    private var reader: LineReader?
    private var reaper: LoopTimer?
    private let exited: (Int32) -> Void

    /// - Parameters:
    ///   - arguments: the program's path first.
    ///   - environment: all that the child gets.
    ///   - line: each line of its standard output.
    ///   - exited: called once with the wait status; not after ``deinit``.
    /// - Throws: ``SpawnError``.
    init(
        loop: EventLoop, arguments: [String], environment: [String: String], line: @escaping (String) -> Void,
        exited: @escaping (Int32) -> Void
    ) throws {
        self.loop = loop
        self.exited = exited
        let status = withCStrings(arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                headgate_spawn(arguments[0], arguments, environment, &child)
            }
        }
        guard status == 0 else { throw SpawnError(error: -status) }
        reader = LineReader(loop: loop, descriptor: child.output, line: line) { [unowned self] in reap() }
    }

    deinit {
        closeInput()
        if child.pid > 0 { kill(-child.pid, SIGKILL) }
    }

    var processID: Int32 { child.pid }

    /// Writes to the child's standard input, which stays open. For short texts: a pipe holds them at once.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(child.input, bytes, bytes.count)
    }

    /// Asks the child to end. It also sees the end of its input.
    func terminate() {
        closeInput()
        if child.pid > 0 { kill(-child.pid, SIGTERM) }
    }

    func forceEnd() { if child.pid > 0 { kill(-child.pid, SIGKILL) } }

    private func closeInput() {
        if child.input >= 0 { close(child.input) }
        child.input = -1
    }

    /// The output has ended, so the process is about to: looked at until it has.
    private func reap() {
        var status: Int32 = 0
        if headgate_reap(child.pid, &status) == 0 {
            let timer = reaper ?? LoopTimer(loop: loop) { [unowned self] in reap() }
            reaper = timer
            return timer.schedule(after: .milliseconds(10))
        }
        child.pid = 0
        closeInput()
        exited(status)
    }
}

/// A program that could not be started; `error` is an errno.
struct SpawnError: Error {
    let error: Int32
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
}
