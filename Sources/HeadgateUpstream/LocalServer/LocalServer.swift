internal import CHeadgate
package import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgatePrimitives

/// A program on this machine that serves an upstream, such as llama.cpp or vLLM, as a supervised child.
///
/// It is started with the gateway or by the first request, probed until it is healthy, restarted with backoff if it
/// ends, stopped after a time without requests, and ended with the gateway.
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
    ///   - loop: its thread must live as long as the process, since the kernel kills the child when the thread ends.
    ///   - group: programs of which it is one; all are of the same loop.
    ///   - environment: this process's environment, of which the child gets a few allow-listed variables, and those of
    ///     the command.
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

    /// Requests that wait, starts, and the last lines that the program has written.
    package var report: LocalServerReport { counts.withLock { $0 } }

    /// Requests that have been let through and have not ended.
    package var requestsInFlight: Int { gate.withLock { $0.requestsInFlight } }

    /// Starts the program if it belongs to the launch. From any thread.
    package func launch() {
        let supervisor = supervisor
        loop.execute { supervisor.value.launch() }
    }

    /// Ends the program for good. From any thread; `done` is called on the loop when it is gone.
    package func stop(_ done: @escaping @Sendable () -> Void) {
        let supervisor = supervisor
        loop.execute { supervisor.value.stop(done) }
    }

    package func enterAtOnce() -> Bool { gate.withLock { $0.enter() } }

    /// Starts the program if need be.
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

    /// Stops the program until the next request, once its requests in flight have ended. From any thread.
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
    /// It could not start, or has ended; the text says how, and contains no output of the program.
    case failed(String)

    /// One word for it.
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
    /// Requests that wait for it.
    package internal(set) var waiting = 0
    package internal(set) var starts = 0
    /// Last lines that it has written, the newest last.
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
    /// So many lines came too fast and are lost.
    case outputLeftOut(Int)
}
