internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Performs the actions of a ``LocalServer``'s state machine on the child, the timers and the waiting requests.
/// Confined to one loop.
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
    /// Waiting requests, with their numbers in the group.
    private var waiting: [(number: Int, waiter: LocalServerWaiter)] = [] {
        didSet { counts.withLock { $0.waiting = waiting.count } }
    }
    private let counts: Locked<LocalServerReport>
    /// Group of the program; nil if there is none.
    private let group: LoopBound<ProgramTurns>?
    private var place: Int?
    private var retireTimer: LoopTimer?
    private var whenStopped: [() -> Void] = []
    private var outputLimit = OutputLimit()
    private var published = LocalServerState.stopped
    /// State that was last reported to the group.
    private var reported = LocalServerState.stopped

    init(
        loop: EventLoop, command: LocalServerCommand, environment: [String: String], gate: Locked<LocalServerGate>,
        counts: Locked<LocalServerReport>, group: LoopBound<ProgramTurns>?, check: @escaping LocalServer.HealthCheck,
        observer: @escaping (LocalServerEvent) -> Void
    ) {
        self.loop = loop
        self.command = command
        self.environment = environment
        self.gate = gate
        self.counts = counts
        self.group = group
        self.check = check
        self.observer = observer
        machine = LocalServer.StateMachine(
            name: command.name, startsAtLaunch: command.startsAtLaunch, startTimeout: command.startTimeout,
            isGrouped: group != nil)
    }

    private var turns: ProgramTurns? { group?.value }

    func launch() {
        guard let turns else { return perform(machine.launch(at: loop.now)) }
        let member = member(of: turns)
        if command.startsAtLaunch { turns.preload(member) }
    }

    func ask(for waiter: LocalServerWaiter) {
        // The request was cancelled before it got to this loop.
        guard !waiter.isTold else { return }
        let (answer, actions) = machine.ask(at: loop.now)
        switch answer {
        case .admit: admit(waiter)
        case .wait: queue(waiter)
        case .refuse(let reason, let isTemporary):
            waiter.tell(.failure(TransportError(isTemporary ? .notReady : .unavailable, reason)))
        }
        perform(actions)
    }

    func forget(_ waiter: LocalServerWaiter) {
        guard let index = waiting.firstIndex(where: { $0.waiter === waiter }) else { return }
        let number = waiting.remove(at: index).number
        if let turns { turns.forget(number, of: member(of: turns)) }
    }

    func stop(_ done: @escaping () -> Void) {
        whenStopped.append(done)
        perform(machine.close(at: loop.now))
    }

    private func perform(_ actions: [LocalServer.StateMachine.Action]) {
        // The state is published first, so that waiting requests find the gate open.
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
                // Another thread may release this object, and timers belong to the loop.
                (timer, idleTimer, retireTimer) = (nil, nil, nil)
                if let turns, let place { turns.remove(place) }
                place = nil
                for done in told { done() }
            }
        }
        armTimer()
        report()
    }

    private func publish() {
        let (state, now) = (machine.state, loop.now)
        guard state != published else { return }
        published = state
        retireTimer = nil
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
        return waiting.map(\.waiter)
    }

    private func queue(_ waiter: LocalServerWaiter) {
        guard let turns else { return waiting.append((0, waiter)) }
        guard let number = turns.join(member(of: turns)) else {
            waiter.tell(.failure(turns.full))
            return
        }
        waiting.append((number, waiter))
        turns.advance()
    }

    private func admit(_ waiter: LocalServerWaiter) {
        guard gate.withLock({ $0.enter() }) else { return queue(waiter) }
        let now = loop.now
        if !waiter.tell(.success(())), gate.withLock({ $0.leave(at: now) }) { becameQuiet() }
    }

    // MARK: The group

    /// Current use of the program.
    var use: ProgramGroup.StateMachine.Use {
        gate.withLock { ProgramGroup.StateMachine.Use(requestsInFlight: $0.requestsInFlight, lastUsed: $0.quietSince) }
    }

    /// Starts the program, because the group has room for it.
    func begin() { perform(machine.permit(at: loop.now)) }

    /// Closes the gate, and stops the program once its requests in flight have ended, or after a time limit.
    func retire() {
        idleTimer?.cancel()
        if gate.withLock({ $0.close() }) { return perform(machine.becameIdle(at: loop.now)) }
        retireTimer = LoopTimer(loop: loop) { [unowned self] in perform(machine.becameIdle(at: loop.now)) }
        retireTimer?.schedule(afterNanoseconds: turns?.drain ?? LocalServerSupervisor.usualDrain)
    }

    /// Stops the program as ``retire()`` does, if it is ready.
    func unload() {
        guard published == .ready, retireTimer == nil else { return }
        if let turns { turns.changed(member(of: turns), to: .stopping) }
        retire()
    }

    /// Notes that no request is in flight.
    func becameQuiet() {
        if retireTimer != nil, use.requestsInFlight == 0 { return perform(machine.becameIdle(at: loop.now)) }
        turns?.advance()
    }

    /// Refuses requests that have waited for too long.
    func refuse(_ numbers: [Int], _ error: TransportError) {
        let late = waiting.filter { numbers.contains($0.number) }
        waiting.removeAll { numbers.contains($0.number) }
        for request in late { request.waiter.tell(.failure(error)) }
    }

    private func member(of turns: ProgramTurns) -> Int {
        if let place { return place }
        let new = turns.add(self)
        place = new
        return new
    }

    /// Reports a new state to the group, once all its actions have been performed.
    private func report() {
        let state = machine.state
        guard let turns, state != reported else { return }
        reported = state
        if let place { turns.changed(place, to: state) }
    }

    /// Nanoseconds that requests in flight have to end before the program is stopped, unless a group sets the limit.
    private static let usualDrain: UInt64 = 60_000_000_000

    private func armIdleTimer() {
        guard let limit = command.idleStop?.clampedNanoseconds else { return }
        let timer = idleTimer ?? LoopTimer(loop: loop) { [unowned self] in stopIfIdle(for: limit) }
        idleTimer = timer
        timer.schedule(afterNanoseconds: limit)
    }

    /// Stops the program if it was idle for long enough. A request that ends on another loop cannot touch the timer, so
    /// the timer checks when the last request ended.
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
        counts.withLock { $0.starts += 1 }
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
        perform(machine.exited(status, isWanted: turns == nil && !waiting.isEmpty, at: loop.now))
    }

    private func wrote(_ line: String) {
        guard outputLimit.admit(at: loop.now) else { return }
        tellLeftOut()
        counts.withLock { $0.add(line) }
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
