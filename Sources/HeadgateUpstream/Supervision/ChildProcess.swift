internal import CHeadgate
internal import Glibc
package import HeadgateEventLoop

/// A child in its own process group that cannot outlive us: its standard input ends with us, the kernel kills it when
/// the loop's thread ends, and a ``Caretaker`` what it has started. Belongs to one loop.
package final class ChildProcess {
    package enum ErrorOutput {
        /// Goes where ours goes.
        case inherited
        /// Comes line by line, together with the standard output.
        case captured
    }

    private let loop: EventLoop
    private var child = headgate_child(pid: 0, input: -1, output: -1)
    private var caretaker: Caretaker?
    private var reader: LineReader?
    /// Becomes readable when the child ends.
    private var watched: Int32 = -1
    private var watch: SocketEvent?
    private var poll: LoopTimer?
    private let exited: (ProcessEnd) -> Void

    /// - Parameters:
    ///   - arguments: the program's path first.
    ///   - environment: all that the child gets.
    ///   - startsOthers: whether it may have started processes that do not end with it.
    ///   - line: each line of its output.
    ///   - exited: called once, after the last line; not after ``deinit``.
    /// - Throws: ``SpawnError``.
    package init(
        loop: EventLoop, arguments: [String], environment: [String: String], errorOutput: ErrorOutput = .inherited,
        startsOthers: Bool = true, line: @escaping (String) -> Void, exited: @escaping (ProcessEnd) -> Void
    ) throws(SpawnError) {
        self.loop = loop
        self.exited = exited
        let spawn = errorOutput == .captured ? headgate_spawn_captured : headgate_spawn
        let status = withCStrings(arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                spawn(arguments[0], arguments, environment, &child)
            }
        }
        guard status == 0 else { throw SpawnError(error: -status) }
        caretaker = startsOthers ? Caretaker(ofGroup: child.pid) : nil
        reader = LineReader(loop: loop, descriptor: child.output, line: line)
        watchForEnd()
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

    private func closeInput() {
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

    /// Where the kernel does not tell of the end, it is asked.
    private func pollLater() {
        let timer = poll ?? LoopTimer(loop: loop) { [unowned self] in reap() }
        poll = timer
        timer.schedule(after: .milliseconds(50))
    }

    /// Ends this if the child has ended.
    private func reap() {
        var status: Int32 = 0
        if headgate_reap(child.pid, &status) == 0 { return pollLater() }
        // What the child itself had started would keep its port and its memory.
        kill(-child.pid, SIGKILL)
        caretaker = nil
        child.pid = 0
        closeInput()
        stopWatching()
        reader?.finish()
        exited(ProcessEnd(waitStatus: status))
    }
}

/// A program that could not be started; `error` is an errno.
package struct SpawnError: Error {
    package let error: Int32
}
