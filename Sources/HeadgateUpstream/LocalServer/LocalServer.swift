internal import CHeadgate
package import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgatePrimitives

/// Program on this machine that serves an upstream, such as llama.cpp or vLLM, run as a supervised child.
///
/// It is started with the gateway or by the first request, probed until it is healthy, and restarted with backoff if it
/// ends. It is stopped after a time without requests, and ended with the gateway.
package final class LocalServer: AwaitedServer {
    /// Probes a program once, on the loop. The result is reported on the loop, after this returns.
    ///
    /// - Returns: a handle that cancels the probe, without a result.
    package typealias HealthCheck =
        @Sendable (_ loop: EventLoop, _ completion: @escaping (Bool) -> Void) -> () -> Void

    private let name: String
    private let loop: EventLoop
    private let gate: Locked<LocalServerGate>
    private let supervisor: LoopBound<LocalServerSupervisor>
    private let counts = Locked(LocalServerReport())

    /// - Parameters:
    ///   - loop: a loop whose thread lives as long as the process, since the kernel kills the child when the thread
    ///     ends.
    ///   - environment: this process's environment. The child inherits a few allow-listed variables, and gets those of
    ///     the command.
    ///   - group: the program's group, on the same loop; nil for none.
    ///   - observer: called for all events, on the loop.
    package init(
        loop: EventLoop, command: LocalServerCommand, environment: [String: String], group: ProgramGroup? = nil,
        check: @escaping HealthCheck, observer: @escaping @Sendable (LocalServerEvent) -> Void
    ) {
        name = command.name
        self.loop = loop
        gate = Locked(LocalServerGate(isGrouped: group != nil))
        let supervisor = LocalServerSupervisor(
            loop: loop, command: command, environment: environment, gate: gate,
            counts: counts, group: group?.turns, check: check, observer: observer)
        self.supervisor = LoopBound(supervisor, on: loop)
    }

    package var state: LocalServerState { gate.withLock { $0.state } }

    /// Numbers of waiting requests and of starts, and the program's latest lines of output.
    package var report: LocalServerReport { counts.withLock { $0 } }

    /// Number of admitted requests that have not ended.
    package var requestsInFlight: Int { gate.withLock { $0.requestsInFlight } }

    /// Starts the program if it is to start with the gateway. Can be called from any thread.
    package func launch() {
        let supervisor = supervisor
        loop.execute { supervisor.value.launch() }
    }

    /// Ends the program permanently. Can be called from any thread; `done` is called on the loop once the program has
    /// ended.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        let supervisor = supervisor
        loop.execute { supervisor.value.stop(done) }
    }

    package func enterAtOnce() -> Bool { gate.withLock { $0.enter() } }

    /// Waits until the program can take a request, and starts it if necessary.
    package func enter() async throws {
        if enterAtOnce() { return }
        let (waiter, supervisor, loop) = (LocalServerWaiter(), supervisor, loop)
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                waiter.wait(continuation)
                loop.execute { supervisor.value.ask(for: waiter) }
            }
        } onCancel: {
            guard waiter.tell(.failure(TransportError(.cancelled))) else { return }
            loop.execute { supervisor.value.forget(waiter) }
        }
    }

    package var notReady: TransportError {
        TransportError(.notReady, "the program of the upstream '\(name)' is starting")
    }

    package func leave() {
        let now = headgate_monotonic_nanoseconds()
        guard gate.withLock({ $0.leave(at: now) }) else { return }
        let supervisor = supervisor
        loop.execute { supervisor.value.becameQuiet() }
    }

    /// Stops the program until the next request, once its requests in flight have ended. Can be called from any thread.
    package func unload() {
        let supervisor = supervisor
        loop.execute { supervisor.value.unload() }
    }
}

/// State of a local upstream's program.
package enum LocalServerState: Sendable, Equatable {
    case stopped
    case starting
    case ready
    case stopping
    /// The program could not start, or has ended. The text says how, and contains none of the program's output.
    case failed(String)

    /// Name of the state, in one word.
    package var word: String {
        switch self {
        case .stopped: "stopped"
        case .starting: "starting"
        case .ready: "ready"
        case .stopping: "stopping"
        case .failed: "failed"
        }
    }
}

/// Counts of a local upstream's program, for people.
package struct LocalServerReport: Sendable {
    /// Number of waiting requests.
    package internal(set) var waiting = 0
    package internal(set) var starts = 0
    /// Latest lines of output, newest last.
    package private(set) var output: [String] = []

    private static let longestOutput = 20

    mutating func add(_ line: String) {
        if output.count == LocalServerReport.longestOutput { output.removeFirst() }
        output.append(line)
    }
}

/// Event of a local upstream's program.
package enum LocalServerEvent: Sendable, Equatable {
    case state(LocalServerState)
    /// A line that the program wrote, without control characters.
    case output(String)
    /// Number of lines that came too fast and were dropped.
    case outputLeftOut(Int)
}
