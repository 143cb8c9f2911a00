package import HeadgateEventLoop
internal import HeadgateHTTP

/// Programs on this machine of which only some can run at once, such as those that share a GPU.
package final class ProgramGroup: Sendable {
    let turns: LoopBound<ProgramTurns>

    /// - Parameter loop: the loop of the programs.
    package init(_ name: String, _ settings: Settings, on loop: EventLoop) {
        turns = LoopBound(ProgramTurns(name, settings, on: loop), on: loop)
    }

    /// Changes the limits. Can be called from any thread.
    package func adopt(_ settings: Settings) {
        turns.loop.execute { [turns] in turns.value.adopt(settings) }
    }
}

/// Performs the actions of a ``ProgramGroup``'s state machine. Confined to the loop of the programs.
final class ProgramTurns {
    private struct Member {
        weak let program: LocalServerSupervisor?
    }

    private let name: String
    private let loop: EventLoop
    private var machine: ProgramGroup.StateMachine
    private var members: [Int: Member] = [:]
    private var lastMember = 0
    private var timer: LoopTimer?

    init(_ name: String, _ settings: ProgramGroup.Settings, on loop: EventLoop) {
        self.name = name
        self.loop = loop
        machine = ProgramGroup.StateMachine(settings)
    }

    var drain: UInt64 { machine.settings.drain }

    func adopt(_ settings: ProgramGroup.Settings) {
        machine.change(settings)
        advance()
    }

    func add(_ program: LocalServerSupervisor) -> Int {
        lastMember += 1
        members[lastMember] = Member(program: program)
        machine.add(lastMember)
        return lastMember
    }

    func remove(_ member: Int) {
        members[member] = nil
        machine.remove(member)
        advance()
    }

    func preload(_ member: Int) { perform(machine.preload(member)) }

    /// Adds a waiting request. The caller must call ``advance()`` afterwards.
    ///
    /// - Returns: its number; nil if too many requests are waiting already.
    func join(_ member: Int) -> Int? { machine.join(member, at: loop.now) }

    func forget(_ number: Int, of member: Int) {
        machine.forget(number, of: member)
        advance()
    }

    func changed(_ member: Int, to state: LocalServerState) {
        switch state {
        case .starting: return
        case .ready: machine.ready(member)
        case .stopping: machine.leaving(member)
        case .stopped: machine.gone(member, failed: false)
        case .failed: machine.gone(member, failed: true)
        }
        advance()
    }

    /// Performs all actions that are due.
    func advance() {
        perform(
            machine.advance(at: loop.now) { [members] in
                members[$0]?.program?.use ?? ProgramGroup.StateMachine.Use()
            })
        guard let deadline = machine.deadline else { return timer?.cancel() ?? () }
        let timer = timer ?? LoopTimer(loop: loop) { [unowned self] in advance() }
        self.timer = timer
        timer.schedule(at: deadline)
    }

    private func perform(_ actions: [ProgramGroup.StateMachine.Action]) {
        for action in actions {
            switch action {
            case .start(let member): members[member]?.program?.begin()
            case .retire(let member): members[member]?.program?.retire()
            case .refuse(let numbers, let member): members[member]?.program?.refuse(numbers, late)
            }
        }
    }

    /// Error of a request that finds the queue full.
    var full: TransportError {
        TransportError(
            .busy,
            "\(machine.settings.queue) requests wait for programs of the group '\(name)' already, as many as may wait")
    }

    private var late: TransportError {
        let seconds = machine.settings.wait / 1_000_000_000
        return TransportError(
            .busy, "other programs of the group '\(name)' were in use for \(seconds) s, as long as a request may wait")
    }
}
