internal import CHeadgate
internal import HeadgateConfiguration
internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// Performs the actions of a ``KeyCommand``'s state machine on the program, the timer and the waiting requests.
/// Confined to one loop.
final class KeyCommandRunner {
    typealias Tell = @Sendable (KeyCommand.StateMachine.Answer) -> Void

    private let loop: EventLoop
    private let configuration: KeyCommandConfiguration
    private let environment: [String: String]
    private let published: Locked<KeyCommand.Published>
    private let observer: (KeyCommandEvent) -> Void
    private var machine: KeyCommand.StateMachine
    private var run: ProgramRun?
    private var output: [UInt8] = []
    private var timer: LoopTimer?
    private var waiting: [(ticket: KeyTicket, tell: Tell)] = []
    private var whenStopped: [@Sendable () -> Void] = []

    /// Maximum output of a program, in bytes.
    private static let longestOutput = 64 << 10
    /// Number of previous keys that are redacted in texts.
    private static let remembered = 3

    init(
        _ configuration: KeyCommandConfiguration, loop: EventLoop, environment: [String: String],
        published: Locked<KeyCommand.Published>, observer: @escaping (KeyCommandEvent) -> Void
    ) {
        self.loop = loop
        self.configuration = configuration
        self.environment = KeyCommandRunner.inherited(environment).merging(
            configuration.environment.map { ($0.name, $0.value.reveal()) }
        ) { $1 }
        self.published = published
        self.observer = observer
        machine = KeyCommand.StateMachine(
            every: configuration.every?.clampedNanoseconds, timeout: configuration.timeout.clampedNanoseconds)
    }

    /// Returns the variables of this process that a key command inherits. They contain no secret.
    static func inherited(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in ["PATH", "HOME", "LANG"].contains(name) || name.hasPrefix("XDG_") }
    }

    deinit { run?.kill() }

    func launch() { perform(machine.launch(at: loop.now)) }

    func stop(_ done: @escaping @Sendable () -> Void) {
        whenStopped.append(done)
        perform(machine.close(at: loop.now))
    }

    /// - Parameter refused: the number of the key that the upstream refused; nil if none was.
    func ask(_ ticket: KeyTicket, insteadOf refused: Int?, _ tell: @escaping Tell) {
        let time = KeyCommandRunner.time
        let (answer, actions) =
            refused.map { machine.refuse($0, at: loop.now, time) } ?? machine.ask(at: loop.now, time)
        if answer == .wait { waiting.append((ticket, tell)) } else { tell(answer) }
        perform(actions)
    }

    func forget(_ ticket: KeyTicket) { waiting.removeAll { $0.ticket === ticket } }

    /// Seconds since 1970.
    private static var time: Int64 { headgate_realtime_nanoseconds() / 1_000_000_000 }

    private func perform(_ actions: [KeyCommand.StateMachine.Action]) {
        // The state is published first, since the waiting requests read it when they continue.
        publish()
        for action in actions {
            switch action {
            case .spawn: spawn()
            case .terminate: run?.terminate()
            case .kill: run?.kill()
            case .wake: wake()
            case .report(let event): observer(event)
            case .tellClosed:
                let told = whenStopped
                whenStopped = []
                timer = nil
                for done in told { done() }
            }
        }
        armTimer()
    }

    private func publish() {
        let (key, fault) = (machine.key, machine.fault)
        let isRunning = if case .running = machine.phase { true } else { false }
        published.withLock { state in
            if let key, key.number != state.key?.number {
                state.known = Array(([key.issued.value] + state.known).prefix(1 + KeyCommandRunner.remembered))
            }
            (state.key, state.fault, state.isRunning) = (key, fault, isRunning)
        }
    }

    private func wake() {
        let answer = machine.answer(at: KeyCommandRunner.time)
        guard answer != .wait else { return }
        let told = waiting
        waiting = []
        for waiter in told { waiter.tell(answer) }
    }

    private func armTimer() {
        guard let deadline = machine.deadline else { return timer?.cancel() ?? () }
        let timer = timer ?? LoopTimer(loop: loop) { [unowned self] in perform(machine.timePassed(at: loop.now)) }
        self.timer = timer
        timer.schedule(at: deadline)
    }

    // MARK: The program

    private func spawn() {
        output = []
        run = ProgramRun(
            configuration.arguments, environment: environment, errorOutput: .discarded,
            output: .bytes { [weak self] in self?.receive($0) }, on: loop
        ) { [weak self] in self?.ended($0) }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        guard output.count + bytes.count <= KeyCommandRunner.longestOutput else {
            output = []
            return perform(machine.fail("printed more than 64 KiB", at: loop.now))
        }
        output.append(contentsOf: bytes)
    }

    private func ended(_ failure: ProgramRun.Failure?) {
        run = nil
        let printed = output
        output = []
        if let failure { return end(.failure(KeyCommandFault(text: "\(failure)"))) }
        do throws(IssuedKey.Fault) {
            end(.success(try IssuedKey.read(printed)))
        } catch {
            end(.failure(KeyCommandFault(text: error.rawValue)))
        }
    }

    private func end(_ result: Result<IssuedKey, KeyCommandFault>) {
        perform(machine.ended(result, at: loop.now, KeyCommandRunner.time))
    }
}
