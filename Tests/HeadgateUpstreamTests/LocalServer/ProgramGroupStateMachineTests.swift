import Testing

@testable import HeadgateUpstream

@Suite struct ProgramGroupStateMachineTests {
    private typealias Machine = ProgramGroup.StateMachine
    private typealias Use = ProgramGroup.StateMachine.Use

    private static let second: UInt64 = 1_000_000_000
    private static let settings = ProgramGroup.Settings(
        max: 1, queue: 8, wait: 60 * second, drain: 30 * second)

    /// Returns a group of the programs 1 to 3.
    private func group(max: Int = 1, queue: Int = 8) -> Machine {
        var settings = Self.settings
        (settings.max, settings.queue) = (max, queue)
        var machine = Machine(settings)
        for member in 1...3 { machine.add(member) }
        return machine
    }

    private func busy(_: Int) -> Use { Use(requestsInFlight: 1) }
    private func idle(_: Int) -> Use { Use() }

    /// Starts a program for one request, which it admits.
    private func run(_ member: Int, in machine: inout Machine, at now: UInt64 = 0) {
        #expect(machine.join(member, at: now) != nil)
        #expect(machine.advance(at: now, busy) == [.start(member)])
        machine.ready(member)
        #expect(machine.advance(at: now, busy).isEmpty)
    }

    @Test func firstRequestStartsItsProgramAndASecondOneDoesNot() {
        var machine = group()
        #expect(machine.join(1, at: 0) == 1)
        #expect(machine.advance(at: 0, idle) == [.start(1)])
        #expect(machine.join(1, at: 1) == 2)
        #expect(machine.advance(at: 1, idle).isEmpty)
        machine.ready(1)
        #expect(machine.waiting == 0 && machine.advance(at: 2, idle).isEmpty && machine.deadline == nil)
    }

    @Test func runningProgramsRequestsGoFirstForOneTurn() {
        var machine = group()
        run(1, in: &machine)
        #expect(machine.join(2, at: 5 * Self.second) != nil)
        #expect(machine.advance(at: 5 * Self.second, busy).isEmpty)
        #expect(machine.deadline == 15 * Self.second)
        #expect(machine.advance(at: 15 * Self.second - 1, busy).isEmpty)
        #expect(machine.advance(at: 15 * Self.second, busy) == [.retire(1)])
        #expect(machine.advance(at: 16 * Self.second, busy).isEmpty, "it has been told")
        machine.gone(1, failed: false)
        #expect(machine.advance(at: 20 * Self.second, busy) == [.start(2)])
    }

    @Test func idleProgramMakesRoomAtOnce() {
        var machine = group()
        run(1, in: &machine)
        #expect(machine.join(2, at: 1) != nil)
        #expect(machine.advance(at: 1, idle) == [.retire(1)])
    }

    @Test func idleProgramMakesRoomForAWaitingOne() {
        var machine = group()
        run(1, in: &machine)
        #expect(machine.join(2, at: 1) != nil)
        #expect(machine.advance(at: 1, busy).isEmpty)
        #expect(machine.advance(at: 2, idle) == [.retire(1)])
    }

    @Test func oldestRequestIsServedNext() {
        var machine = group()
        run(1, in: &machine)
        #expect(machine.join(3, at: 1) != nil && machine.join(2, at: 2) != nil)
        #expect(machine.advance(at: 2, idle) == [.retire(1)])
        // A request that arrives during its program's shutdown waits behind the others.
        #expect(machine.join(1, at: 3) != nil)
        machine.gone(1, failed: false)
        #expect(machine.advance(at: 4, idle) == [.start(3)])
        machine.ready(3)
        #expect(machine.advance(at: 5, idle) == [.retire(3)])
        machine.gone(3, failed: false)
        #expect(machine.advance(at: 6, idle) == [.start(2)])
        machine.ready(2)
        #expect(machine.advance(at: 7, idle) == [.retire(2)])
        machine.gone(2, failed: false)
        #expect(machine.advance(at: 8, idle) == [.start(1)])
    }

    @Test func startingProgramIsNotStoppedBeforeItHasServed() {
        var machine = group()
        #expect(machine.join(1, at: 0) != nil)
        #expect(machine.advance(at: 0, idle) == [.start(1)])
        #expect(machine.join(2, at: 1) != nil)
        #expect(machine.advance(at: 30 * Self.second, idle).isEmpty)
        // The program's own requests are admitted when the turn of the other one is long over.
        machine.ready(1)
        #expect(machine.advance(at: 31 * Self.second, busy) == [.retire(1)])
    }

    @Test func leastRecentlyUsedOfSeveralMakesRoom() {
        var machine = group(max: 2)
        run(1, in: &machine)
        run(2, in: &machine)
        #expect(machine.join(3, at: 9) != nil)
        #expect(machine.advance(at: 9) { Use(lastUsed: $0 == 2 ? 3 : 7) } == [.retire(2)])
        #expect(machine.advance(at: 10, idle).isEmpty, "one is enough for one")
    }

    @Test func idleProgramMakesRoomBeforeAnEarlierBusyOne() {
        var machine = group(max: 2)
        run(1, in: &machine)
        run(2, in: &machine)
        #expect(machine.join(3, at: 0) != nil)
        let uses = [1: Use(requestsInFlight: 1, lastUsed: 0), 2: Use(requestsInFlight: 0, lastUsed: 9)]
        #expect(machine.advance(at: 99 * Self.second / 10) { uses[$0] ?? Use() } == [.retire(2)])
    }

    @Test func requestsAboveTheQueueAreRefused() {
        var machine = group(queue: 2)
        run(1, in: &machine)
        let first = machine.join(2, at: 0)
        #expect(machine.join(3, at: 0) != nil && machine.join(2, at: 0) == nil)
        machine.forget(first ?? 0, of: 2)
        #expect(machine.join(2, at: 0) != nil)
    }

    @Test func requestHasSeparateDeadlinesForItsTurnAndItsStart() {
        var machine = group()
        run(1, in: &machine)
        #expect(machine.join(2, at: 0) == 2 && machine.join(3, at: Self.second) == 3)
        #expect(machine.advance(at: 10 * Self.second, busy) == [.retire(1)])
        #expect(machine.deadline == 60 * Self.second)
        #expect(machine.advance(at: 60 * Self.second, busy) == [.refuse([2], of: 2)])
        machine.gone(1, failed: false)
        #expect(machine.advance(at: 60 * Self.second, busy) == [.start(3)])
        #expect(machine.advance(at: 600 * Self.second, busy).isEmpty && machine.deadline == nil)
    }

    @Test func failureRefusesItsRequestsAndMakesRoom() {
        var machine = group()
        #expect(machine.join(1, at: 0) != nil && machine.join(2, at: 0) != nil)
        #expect(machine.advance(at: 0, idle) == [.start(1)])
        machine.gone(1, failed: true)
        #expect(machine.advance(at: 1, idle) == [.start(2)] && machine.waiting == 1)
    }

    @Test func cancelledRequestsMoveNothing() {
        var machine = group()
        run(1, in: &machine)
        let number = machine.join(2, at: 0)
        machine.forget(number ?? 0, of: 2)
        #expect(machine.advance(at: 20 * Self.second, idle).isEmpty && machine.deadline == nil)
    }

    @Test func preloadedProgramStartsIfThereIsRoom() {
        var machine = group()
        #expect(machine.preload(2) == [.start(2)])
        #expect(machine.preload(3).isEmpty)
    }

    @Test func changedMaximumTakesEffect() {
        var machine = group(max: 2)
        run(1, in: &machine)
        run(2, in: &machine)
        var settings = Self.settings
        machine.change(settings)
        #expect(machine.advance(at: 1) { Use(requestsInFlight: 1, lastUsed: $0 == 1 ? 9 : 8) } == [.retire(2)])
        #expect(machine.join(3, at: 2) != nil && machine.advance(at: 2, busy).isEmpty)
        settings.max = 3
        machine.change(settings)
        #expect(machine.advance(at: 3, busy) == [.start(3)])
    }
}
