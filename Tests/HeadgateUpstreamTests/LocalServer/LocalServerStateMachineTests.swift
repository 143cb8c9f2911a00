import Testing

@testable import HeadgateUpstream

@Suite struct LocalServerStateMachineTests {
    private typealias Machine = LocalServer.StateMachine
    private static let millisecond: UInt64 = 1_000_000
    private static let second: UInt64 = 1_000_000_000
    private let failed = ProcessEnd(waitStatus: 3 << 8)

    private func machine(startsAtLaunch: Bool = false) -> Machine {
        Machine(name: "local", startsAtLaunch: startsAtLaunch, startTimeout: .seconds(60))
    }

    /// Returns a machine whose program became ready 100 ms after this instant.
    private func readyMachine(at now: UInt64 = 0, startsAtLaunch: Bool = false) -> Machine {
        var machine = machine(startsAtLaunch: startsAtLaunch)
        _ = machine.ask(at: now)
        _ = machine.timePassed(at: now + 100 * Self.millisecond)
        #expect(machine.checked(1, isHealthy: true, at: now + 100 * Self.millisecond) == [.admitWaiting])
        return machine
    }

    @Test func firstRequestStartsAndWaitsAndLaterOnesWait() {
        var machine = machine()
        #expect(machine.launch(at: 0) == [])
        #expect(machine.state == .stopped)
        let (answer, actions) = machine.ask(at: 5)
        #expect(answer == .wait)
        #expect(actions == [.spawn])
        #expect(machine.state == .starting)
        let (later, nothing) = machine.ask(at: 6)
        #expect(later == .wait)
        #expect(nothing == [])
    }

    @Test func launchStartsWithoutARequestOnce() {
        var machine = machine(startsAtLaunch: true)
        #expect(machine.launch(at: 0) == [.spawn])
        #expect(machine.launch(at: 1) == [])
    }

    @Test func healthIsCheckedWithGrowingPausesUntilItIsGood() {
        var machine = machine()
        _ = machine.ask(at: 0)
        var now: UInt64 = 0
        var pauses: [UInt64] = []
        for number in 1...7 {
            let due = machine.deadline ?? 0
            pauses.append((due - now) / Self.millisecond)
            now = due
            #expect(machine.timePassed(at: now - 1) == [])
            #expect(machine.timePassed(at: now) == [.check(number)])
            #expect(machine.checked(number, isHealthy: false, at: now) == [])
        }
        #expect(pauses == [100, 100, 200, 400, 800, 1000, 1000])
        now = machine.deadline ?? 0
        #expect(machine.timePassed(at: now) == [.check(8)])
        #expect(machine.checked(7, isHealthy: true, at: now) == [], "an answer to an earlier question")
        #expect(machine.state == .starting)
        #expect(machine.checked(8, isHealthy: true, at: now) == [.admitWaiting])
        #expect(machine.state == .ready)
        #expect(machine.deadline == nil)
        #expect(machine.ask(at: now).0 == .admit)
    }

    @Test func unansweredCheckTimesOut() {
        var machine = machine()
        _ = machine.ask(at: 0)
        #expect(machine.timePassed(at: 100 * Self.millisecond) == [.check(1)])
        #expect(machine.deadline == 5100 * Self.millisecond)
        #expect(machine.timePassed(at: 5100 * Self.millisecond) == [.cancelCheck])
        #expect(machine.checked(1, isHealthy: true, at: 5101 * Self.millisecond) == [])
        #expect(machine.timePassed(at: 5200 * Self.millisecond) == [.check(2)])
    }

    @Test func tooSlowStartIsEndedAndRefusesWaitingRequests() {
        var machine = machine()
        _ = machine.ask(at: 0)
        let reason = "the program of the upstream 'local' was not ready within 60 s; its output is in the gateway's log"
        #expect(machine.timePassed(at: 60 * Self.second) == [.cancelCheck, .terminate, .refuseWaiting(reason)])
        #expect(machine.state == .stopping)
        #expect(machine.ask(at: 61 * Self.second).0 == .refuse(reason: reason, isTemporary: false))
        #expect(machine.timePassed(at: 61 * Self.second) == [])
        #expect(machine.timePassed(at: 62 * Self.second) == [.forceEnd])
        #expect(machine.timePassed(at: 63 * Self.second) == [])
        _ = machine.exited(ProcessEnd(waitStatus: 9), isWanted: false, at: 62 * Self.second)
        #expect(machine.state == .failed(reason))
    }

    @Test func nextRequestRetriesAFailedStartAfterAPause() {
        var machine = machine()
        var now: UInt64 = 0
        var pauses: [UInt64] = []
        let reason =
            "the program of the upstream 'local' ended with exit status 3 before it was ready; its output is in the gateway's log"
        for _ in 0..<9 {
            #expect(machine.ask(at: now).1 == [.spawn])
            #expect(machine.exited(failed, isWanted: true, at: now) == [.cancelCheck, .refuseWaiting(reason)])
            #expect(machine.state == .failed(reason))
            #expect(machine.deadline == nil, "nobody waits for it")
            let start = now
            while machine.ask(at: now).0 == .refuse(reason: reason, isTemporary: false) {
                now += 100 * Self.millisecond
            }
            pauses.append((now - start) / Self.millisecond)
            #expect(machine.exited(failed, isWanted: true, at: now) != [])
            now += 100 * Self.second
        }
        #expect(pauses.prefix(3) == [500, 2000, 8000])
        #expect(pauses.last == 30_000)
    }

    @Test func programStartedAtLaunchIsRetriedAutomatically() {
        var machine = machine(startsAtLaunch: true)
        _ = machine.launch(at: 0)
        #expect(machine.spawnFailed("no such file", at: 0).count == 1)
        #expect(machine.state == .failed("the program of the upstream 'local' could not be started: no such file"))
        #expect(machine.deadline == 500 * Self.millisecond)
        #expect(machine.timePassed(at: 500 * Self.millisecond) == [.spawn])
    }

    @Test func crashedProgramIsRestartedAutomatically() {
        var machine = readyMachine()
        let reason = "the program of the upstream 'local' ended with signal 9"
        let end = Self.second
        #expect(machine.exited(ProcessEnd(waitStatus: 9), isWanted: false, at: end) == [.refuseWaiting(reason)])
        #expect(machine.ask(at: end).0 == .refuse(reason: reason, isTemporary: true))
        #expect(machine.timePassed(at: end + 499 * Self.millisecond) == [])
        #expect(machine.timePassed(at: end + 500 * Self.millisecond) == [.spawn])
    }

    @Test func onlyAProgramThatServedForAWhileResetsItsPauses() {
        func pause(afterReadyFor time: UInt64) -> UInt64 {
            var machine = readyMachine()
            _ = machine.exited(failed, isWanted: false, at: Self.second)
            let again = machine.deadline ?? 0
            _ = machine.timePassed(at: again)
            _ = machine.timePassed(at: again + Self.second)
            let ready = again + Self.second
            _ = machine.checked(2, isHealthy: true, at: ready)
            #expect(machine.state == .ready)
            _ = machine.exited(failed, isWanted: false, at: ready + time)
            return (machine.deadline ?? 0) - ready - time
        }
        #expect(pause(afterReadyFor: Self.second) == Self.second)
        #expect(pause(afterReadyFor: 30 * Self.second - 1) == Self.second)
        #expect(pause(afterReadyFor: 30 * Self.second) == Self.second / 2)
    }

    @Test func idleProgramIsStoppedAndStartedByTheNextRequest() {
        var machine = readyMachine()
        #expect(machine.becameIdle(at: Self.second) == [.terminate])
        #expect(machine.state == .stopping)
        #expect(machine.exited(ProcessEnd(waitStatus: 15), isWanted: false, at: Self.second) == [])
        #expect(machine.state == .stopped)
        #expect(machine.deadline == nil)
        #expect(machine.ask(at: 2 * Self.second).1 == [.spawn])
    }

    @Test func requestWhileAnIdleProgramIsStoppedWaitsForTheNextStart() {
        var machine = readyMachine()
        _ = machine.becameIdle(at: Self.second)
        #expect(machine.ask(at: Self.second).0 == .wait)
        #expect(machine.exited(ProcessEnd(waitStatus: 15), isWanted: true, at: Self.second) == [.spawn])
        #expect(machine.state == .starting)
    }

    @Test func idleTimeCountsOnlyWhenReady() {
        var machine = machine()
        #expect(machine.becameIdle(at: 0) == [])
        _ = machine.ask(at: 0)
        #expect(machine.becameIdle(at: 0) == [])
        #expect(machine.state == .starting)
    }

    @Test func closingEndsTheProgramForGood() {
        var machine = readyMachine()
        let refusal = Machine.Action.refuseWaiting("the program of the upstream 'local' is being stopped")
        #expect(machine.close(at: Self.second) == [.cancelCheck, .terminate, refusal])
        #expect(machine.timePassed(at: 3 * Self.second) == [.forceEnd])
        #expect(machine.exited(ProcessEnd(waitStatus: 9), isWanted: true, at: 3 * Self.second) == [.tellStopped])
        #expect(machine.state == .stopped)
        #expect(machine.ask(at: 100 * Self.second).1 == [])
        #expect(machine.launch(at: 100 * Self.second) == [])
        #expect(machine.close(at: 100 * Self.second) == [refusal, .tellStopped])
    }

    @Test func closingWhileItStopsKeepsTheDeadline() {
        var machine = readyMachine()
        _ = machine.becameIdle(at: 10 * Self.second)
        _ = machine.close(at: 11 * Self.second)
        #expect(machine.timePassed(at: 12 * Self.second) == [.forceEnd])
        #expect(machine.exited(ProcessEnd(waitStatus: 9), isWanted: true, at: 12 * Self.second) == [.tellStopped])
    }
}
