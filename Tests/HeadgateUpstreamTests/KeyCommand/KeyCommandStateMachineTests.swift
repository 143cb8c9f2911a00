import HeadgateConfiguration
import Testing

@testable import HeadgateUpstream

@Suite struct KeyCommandStateMachineTests {
    private typealias Machine = KeyCommand.StateMachine

    private static let second: UInt64 = 1_000_000_000
    private static let time: Int64 = 1_800_000_000

    private static func machine(every: UInt64? = nil) -> Machine {
        Machine(every: every.map { $0 * second }, timeout: 10 * second)
    }

    private static func key(_ text: String, for seconds: Int64? = nil) -> Result<IssuedKey, KeyCommandFault> {
        .success(IssuedKey(Secret(text), expiry: seconds.map { time + $0 }))
    }

    private static let failure = Result<IssuedKey, KeyCommandFault>.failure(KeyCommandFault(text: "ended badly"))

    /// Returns a machine whose program has printed a key at second 1.
    private static func working(every: UInt64? = nil, for seconds: Int64? = nil) -> Machine {
        var machine = machine(every: every)
        _ = machine.launch(at: 0)
        _ = machine.ended(key("k1", for: seconds), at: second, time)
        return machine
    }

    private func number(_ answer: Machine.Answer) -> Int? { if case .key(let key) = answer { key.number } else { nil } }

    @Test func requestsWaitForTheFirstKey() {
        var machine = Self.machine()
        #expect(machine.launch(at: 0) == [.spawn])
        #expect(machine.launch(at: 1).isEmpty)
        let (answer, actions) = machine.ask(at: 2, Self.time)
        #expect(answer == .wait && actions.isEmpty)
        #expect(machine.ended(Self.key("k1"), at: Self.second, Self.time) == [.report(.works), .wake])
        #expect(number(machine.answer(at: Self.time)) == 1)
        #expect(machine.deadline == nil, "nothing makes it run again")
    }

    @Test func requestStartsAnUnlaunchedProgram() {
        var machine = Self.machine()
        let (answer, actions) = machine.ask(at: 0, Self.time)
        #expect(answer == .wait && actions == [.spawn])
    }

    @Test func requestFailsAtOnceWhileTheProgramRestsAfterAFailure() {
        var machine = Self.machine()
        _ = machine.launch(at: 0)
        #expect(
            machine.ended(Self.failure, at: Self.second, Self.time)
                == [.report(.failed("ended badly", hasKey: false)), .wake])
        let (answer, actions) = machine.ask(at: Self.second, Self.time)
        #expect(answer == .failed("ended badly") && actions.isEmpty)
        #expect(machine.deadline == Self.second + Self.second / 2)
        #expect(machine.timePassed(at: Self.second * 2) == [.spawn])
        _ = machine.ended(Self.failure, at: Self.second * 3, Self.time)
        #expect(machine.deadline == Self.second * 4, "it rests longer each time")
        _ = machine.timePassed(at: Self.second * 4)
        #expect(machine.ended(Self.key("k1"), at: Self.second * 5, Self.time) == [.report(.works), .wake])
    }

    @Test func earlierKeyStaysInUseWhileRenewalFails() {
        var machine = Self.working(every: 60)
        #expect(machine.timePassed(at: Self.second * 61) == [.spawn])
        #expect(number(machine.ask(at: Self.second * 62, Self.time).0) == 1)
        #expect(
            machine.ended(Self.failure, at: Self.second * 62, Self.time)
                == [.report(.failed("ended badly", hasKey: true)), .wake])
        #expect(number(machine.ask(at: Self.second * 62, Self.time).0) == 1)
        #expect(machine.fault == "ended badly")
    }

    @Test(arguments: [
        (nil as UInt64?, 3600 as Int64?, 1 + 3600 - 70 as UInt64?), (60, 3600, 61), (nil, 60, 31), (nil, 8, 6),
        (nil, 1, 6), (60, nil, 61), (nil, nil, nil),
    ])
    func keyIsRenewedBeforeItsEnd(_ every: UInt64?, _ seconds: Int64?, _ instant: UInt64?) {
        #expect(Self.working(every: every, for: seconds).deadline == instant.map { $0 * Self.second })
    }

    @Test func expiredKeyIsNotUsed() {
        var machine = Self.working(for: 3600)
        #expect(number(machine.answer(at: Self.time + 3599)) == 1)
        // The system was suspended, so the clock of the timers stopped.
        let (answer, actions) = machine.ask(at: Self.second * 2, Self.time + 3600)
        #expect(answer == .wait && actions == [.spawn])
        _ = machine.ended(Self.failure, at: Self.second * 3, Self.time + 3600)
        #expect(machine.answer(at: Self.time + 3600) == .failed("ended badly"))
    }

    @Test(arguments: [-1, 0, -time])
    func expiredIssuedKeyIsAFailure(_ seconds: Int64) {
        var machine = Self.machine()
        _ = machine.launch(at: 0)
        _ = machine.ended(Self.key("k1", for: seconds), at: 1, Self.time)
        #expect(machine.answer(at: Self.time) == .failed("printed a key that has expired"))
    }

    @Test func refusedKeyIsRenewedOnce() {
        var machine = Self.working()
        let (answer, actions) = machine.refuse(1, at: Self.second * 2, Self.time)
        #expect(answer == .wait && actions == [.spawn])
        #expect(machine.refuse(1, at: Self.second * 2, Self.time).0 == .wait, "the second one waits for the same run")
        _ = machine.ended(Self.key("k1"), at: Self.second * 3, Self.time)
        let (again, none) = machine.refuse(1, at: Self.second * 4, Self.time)
        #expect(number(again) == 1 && none.isEmpty, "the same key again: the refusal stands")
        let (later, second) = machine.refuse(1, at: Self.second * 40, Self.time)
        #expect(later == .wait && second == [.spawn])
        _ = machine.ended(Self.key("k2"), at: Self.second * 41, Self.time)
        #expect(number(machine.answer(at: Self.time)) == 2)
        let (other, unneeded) = machine.refuse(1, at: Self.second * 41, Self.time)
        #expect(number(other) == 2 && unneeded.isEmpty, "there is a newer key already")
        #expect(machine.refuse(2, at: Self.second * 42, Self.time).0 == .wait, "a new key has its own renewal")
    }

    /// A renewal of the same key has a pause of half a minute.
    @Test(arguments: [(32, true), (31, false)]) func refusedKeyIsRenewedAgainAfterAPause(_ now: UInt64, _ isRun: Bool) {
        var machine = Self.working()
        _ = machine.refuse(1, at: Self.second * 2, Self.time)
        _ = machine.ended(Self.key("k1"), at: Self.second * 3, Self.time)
        #expect(machine.refuse(1, at: Self.second * now, Self.time).1 == (isRun ? [.spawn] : []))
    }

    @Test func hangingProgramIsTerminatedThenKilled() {
        var machine = Self.machine()
        _ = machine.launch(at: 0)
        #expect(machine.deadline == 10 * Self.second)
        #expect(machine.timePassed(at: 9 * Self.second).isEmpty)
        #expect(
            machine.timePassed(at: 10 * Self.second)
                == [.terminate, .report(.failed("did not end within 10 s", hasKey: false)), .wake])
        #expect(machine.answer(at: Self.time) == .failed("did not end within 10 s"))
        #expect(machine.timePassed(at: 12 * Self.second) == [.kill])
        #expect(machine.deadline == nil)
        #expect(machine.ended(Self.key("late"), at: 13 * Self.second, Self.time).isEmpty)
        #expect(machine.key == nil, "a key that came late does not count")
        #expect(machine.deadline == 13 * Self.second + Self.second / 2)
    }

    @Test func programWithTooMuchOutputIsEnded() {
        var machine = Self.machine()
        _ = machine.launch(at: 0)
        #expect(
            machine.fail("printed more than 64 KiB", at: 1)
                == [.terminate, .report(.failed("printed more than 64 KiB", hasKey: false)), .wake])
        #expect(machine.fail("printed more than 64 KiB", at: 2).isEmpty)
    }

    @Test func closingEndsTheRunningProgram() {
        var machine = Self.machine()
        _ = machine.launch(at: 0)
        #expect(machine.close(at: 1) == [.terminate, .wake])
        #expect(machine.answer(at: Self.time) == .failed("was ended with its configuration"))
        #expect(machine.timePassed(at: 3 * Self.second) == [.kill])
        #expect(machine.ended(Self.key("k1"), at: 4 * Self.second, Self.time) == [.wake, .tellClosed])
        #expect(machine.ask(at: 5 * Self.second, Self.time).1.isEmpty)
        #expect(machine.close(at: 6 * Self.second) == [.tellClosed])
    }

    @Test func closingAnIdleMachineEndsAtOnce() {
        var machine = Self.working(every: 60)
        #expect(machine.close(at: 2) == [.wake, .tellClosed])
        #expect(machine.deadline == nil)
        #expect(number(machine.answer(at: Self.time)) == 1, "requests in flight still have the key")
    }
}
