internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Does what the state machine of a ``LocalServer`` says: the child, the timers, and the waiting requests. Confined to
/// one loop.
final class LocalServerSupervisor {
    private let loop: EventLoop
    private let command: LocalServerCommand
    private let environment: [String: String]
    private let gate: Locked<LocalServerGate>
    private let check: LocalServer.HealthCheck
    private let observer: (LocalServerEvent) -> Void
    private var machine: LocalServer.StateMachine
    private var child: ChildProcess?
    private var timer: LoopTimer?
    private var idleTimer: LoopTimer?
    private var cancelCheck: (() -> Void)?
    private var waiting: [LocalServerWaiter] = []
    private var whenStopped: [() -> Void] = []
    private var outputLimit = OutputLimit()
    private var published = LocalServerState.stopped

    init(
        loop: EventLoop, command: LocalServerCommand, environment: [String: String], gate: Locked<LocalServerGate>,
        check: @escaping LocalServer.HealthCheck, observer: @escaping (LocalServerEvent) -> Void
    ) {
        self.loop = loop
        self.command = command
        self.environment = environment
        self.gate = gate
        self.check = check
        self.observer = observer
        machine = LocalServer.StateMachine(
            name: command.name, startsAtLaunch: command.startsAtLaunch, startTimeout: command.startTimeout)
    }

    func launch() { perform(machine.launch(at: loop.now)) }

    func ask(for waiter: LocalServerWaiter) {
        // Cancelled before it came to this loop.
        guard !waiter.isTold else { return }
        let (answer, actions) = machine.ask(at: loop.now)
        switch answer {
        case .admit: admit(waiter)
        case .wait: waiting.append(waiter)
        case .refuse(let reason, let isTemporary):
            waiter.tell(.failure(TransportError(isTemporary ? .notReady : .unavailable, reason)))
        }
        perform(actions)
    }

    func forget(_ waiter: LocalServerWaiter) { waiting.removeAll { $0 === waiter } }

    func stop(_ done: @escaping () -> Void) {
        whenStopped.append(done)
        perform(machine.close(at: loop.now))
    }

    private func perform(_ actions: [LocalServer.StateMachine.Action]) {
        // Before the waiting requests go on: they must find the gate open.
        publish()
        for action in actions {
            switch action {
            case .spawn: spawn()
            case .check(let number): begin(check: number)
            case .cancelCheck: endCheck()
            case .terminate: child?.terminate()
            case .forceEnd: child?.forceEnd()
            case .admitWaiting: for waiter in takeWaiting() { admit(waiter) }
            case .refuseWaiting(let reason):
                for waiter in takeWaiting() { waiter.tell(.failure(TransportError(.unavailable, reason))) }
            case .tellStopped:
                let told = whenStopped
                whenStopped = []
                for done in told { done() }
            }
        }
        armTimer()
    }

    private func publish() {
        let (state, now) = (machine.state, loop.now)
        guard state != published else { return }
        published = state
        gate.withLock { $0.set(state, at: now) }
        if state == .ready { armIdleTimer() } else { idleTimer?.cancel() }
        observer(.state(state))
    }

    private func armTimer() {
        guard let deadline = machine.deadline else {
            timer?.cancel()
            return
        }
        let timer = timer ?? LoopTimer(loop: loop) { [unowned self] in perform(machine.timePassed(at: loop.now)) }
        self.timer = timer
        timer.schedule(at: deadline)
    }

    // MARK: Requests

    private func takeWaiting() -> [LocalServerWaiter] {
        defer { waiting = [] }
        return waiting
    }

    private func admit(_ waiter: LocalServerWaiter) {
        guard gate.withLock({ $0.enter() }) else { return waiting.append(waiter) }
        let now = loop.now
        if !waiter.tell(.success(())) { gate.withLock { $0.leave(at: now) } }
    }

    private func armIdleTimer() {
        guard let limit = command.idleStop?.clampedNanoseconds else { return }
        let timer = idleTimer ?? LoopTimer(loop: loop) { [unowned self] in stopIfIdle(for: limit) }
        idleTimer = timer
        timer.schedule(afterNanoseconds: limit)
    }

    /// A request that ends does not touch the idle timer, which may belong to another loop: the timer checks when the
    /// last one ended.
    private func stopIfIdle(for limit: UInt64) {
        let now = loop.now
        if let later = gate.withLock({ $0.closeIfQuiet(for: limit, at: now) }) {
            idleTimer?.schedule(at: later)
        } else {
            perform(machine.becameIdle(at: now))
        }
    }

    // MARK: The child

    private func spawn() {
        let variables = InheritedEnvironment.from(environment).merging(command.variables()) { $1 }
        do {
            child = try ChildProcess(
                loop: loop, arguments: command.arguments, environment: variables,
                errorOutput: .captured, line: { [unowned self] in wrote($0) }, exited: { [unowned self] in exited($0) })
        } catch {
            perform(machine.spawnFailed(error.description, at: loop.now))
        }
    }

    private func exited(_ status: ProcessEnd) {
        child = nil
        tellLeftOut()
        perform(machine.exited(status, isWanted: !waiting.isEmpty, at: loop.now))
    }

    private func wrote(_ line: String) {
        guard outputLimit.admit(at: loop.now) else { return }
        tellLeftOut()
        observer(.output(line))
    }

    private func tellLeftOut() {
        let count = outputLimit.takeLeftOut()
        if count > 0 { observer(.outputLeftOut(count)) }
    }

    // MARK: Health

    private func begin(check number: Int) {
        endCheck()
        cancelCheck = check(loop) { [weak self] isHealthy in
            guard let self else { return }
            perform(machine.checked(number, isHealthy: isHealthy, at: loop.now))
        }
    }

    private func endCheck() {
        cancelCheck?()
        cancelCheck = nil
    }
}
