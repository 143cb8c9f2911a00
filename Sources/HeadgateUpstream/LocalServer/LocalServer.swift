internal import CHeadgate
package import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgatePrimitives

/// A program on this machine that serves an upstream, such as llama.cpp or vLLM, as a supervised child.
///
/// Started with the gateway or by the first request, asked for its health until it answers, started again with back-off
/// when it ends, stopped when nobody has needed it for a while, and gone when we are.
package final class LocalServer: AwaitedServer {
    /// Asks a program once whether it can serve, on the loop, and tells it on the loop, after it has returned.
    ///
    /// - Returns: what gives up asking; nothing is told then.
    package typealias HealthCheck =
        @Sendable (_ loop: EventLoop, _ completion: @escaping (Bool) -> Void) -> () -> Void

    private let name: String
    private let loop: EventLoop
    private let gate: Locked<LocalServerGate>
    private let supervisor: LoopBound<LocalServerSupervisor>
    private let counts = Locked(LocalServerReport())

    /// - Parameters:
    ///   - loop: its thread must live as long as the process: the kernel kills the child when it ends.
    ///   - group: programs of which it is one; all are of the same loop.
    ///   - environment: of this process; the child gets a few allow-listed variables of it, and those of the command.
    ///   - observer: told of all that happens, on the loop.
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

/// What the program of a local upstream is doing.
package enum LocalServerState: Sendable, Equatable {
    case stopped
    case starting
    case ready
    case stopping
    /// It could not start or has ended by itself; the text says how, and holds nothing that the program wrote.
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

/// What becomes known about the program of a local upstream.
package enum LocalServerEvent: Sendable, Equatable {
    case state(LocalServerState)
    /// A line that the program wrote, without control characters.
    case output(String)
    /// So many lines came too fast and are lost.
    case outputLeftOut(Int)
}
