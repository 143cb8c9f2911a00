import Testing

@testable import HeadgateStores

@Suite struct RedisConnectionStateMachineTests {
    private typealias Machine = RedisConnection.StateMachine<Int>
    private let millisecond: UInt64 = 1_000_000

    /// Returns a machine that is connected and greeted.
    private func machineThatIsUp(at now: UInt64 = 0) -> Machine {
        var machine = Machine()
        _ = machine.start()
        _ = machine.connected(at: now, greeting: [RedisCommand("PING")])
        #expect(machine.receive(.status("PONG"), at: now).report == .up([.status("PONG")]))
        return machine
    }

    @Test func greetingPrecedesAllCommands() {
        var machine = Machine()
        #expect(machine.start().connects && !machine.isUp)
        let greeting = [RedisCommand("AUTH", "x"), RedisCommand("PING")]
        let step = machine.connected(at: 5, greeting: greeting)
        #expect(step.sends == greeting && step.wakeUp == 5 + 2000 * millisecond && !machine.isUp)
        #expect(machine.receive(.status("OK"), at: 6).report == nil && !machine.isUp)
        #expect(machine.receive(.status("PONG"), at: 7).report == .up([.status("OK"), .status("PONG")]))
        #expect(machine.isUp)
    }

    @Test func repliesMatchCallsInOrder() {
        var machine = machineThatIsUp()
        for call in 0..<5000 { _ = machine.add(call, at: 0) }
        for call in 0..<5000 {
            let answered = machine.receive(.integer(call), at: 0).answered
            #expect(answered?.call == call && answered?.reply == .integer(call))
        }
        #expect(machine.receive(.integer(0), at: 0).report == .down("it sent a reply to no request"))
    }

    @Test func callWithoutAReplyInTimeEndsTheConnection() {
        var machine = machineThatIsUp()
        #expect(machine.add(1, at: 0).wakeUp == 250 * millisecond)
        #expect(machine.add(2, at: 100 * millisecond).wakeUp == nil)
        #expect(machine.receive(.integer(1), at: 200 * millisecond).answered?.call == 1)
        let early = machine.wake(at: 250 * millisecond)
        #expect(early.wakeUp == 350 * millisecond && early.failed == [])
        _ = machine.add(3, at: 300 * millisecond)
        let late = machine.wake(at: 350 * millisecond)
        #expect(late.closes && late.failed == [2, 3] && late.report == .down("no answer within 250 ms"))
        #expect(!machine.isUp)
        // A reply of the lost connection belongs to no command.
        #expect(machine.receive(.integer(2), at: 351 * millisecond).answered == nil)
    }

    @Test func greetingWithoutAReplyInTimeEndsTheConnection() {
        var machine = Machine()
        _ = machine.start()
        _ = machine.connected(at: 0, greeting: [RedisCommand("PING")])
        #expect(machine.wake(at: 1).wakeUp == 2000 * millisecond)
        #expect(machine.wake(at: 2000 * millisecond).report == .down("no answer to the greeting"))
    }

    @Test func pausesGrowUntilAConnectionLasts() {
        var machine = Machine()
        _ = machine.start()
        var now: UInt64 = 0
        var pauses: [UInt64] = []
        for _ in 0..<8 {
            let step = machine.fail("refused", at: now, random: 1)
            pauses.append(((step.wakeUp ?? 0) - now) / millisecond)
            now = step.wakeUp ?? 0
            #expect(machine.wake(at: now).connects)
        }
        #expect(pauses == [100, 200, 400, 800, 1600, 3200, 5000, 5000])
        // A short-lived connection does not count as stable.
        _ = machine.connected(at: now, greeting: [RedisCommand("PING")])
        _ = machine.receive(.status("PONG"), at: now)
        #expect(machine.fail("gone", at: now, random: 1).wakeUp == now + 5000 * millisecond)
        _ = machine.wake(at: now + 5000 * millisecond)
        _ = machine.connected(at: now, greeting: [RedisCommand("PING")])
        _ = machine.receive(.status("PONG"), at: now)
        let later = now + 10_000 * millisecond
        #expect(machine.fail("gone", at: later, random: 0).wakeUp == later + 50 * millisecond)
    }

    @Test func refusedPasswordIsNotRepeated() {
        for reply in ["WRONGPASS invalid", "ERR unknown command `AUTH`, with args beginning with: `geheim`"] {
            var machine = Machine()
            _ = machine.start()
            _ = machine.connected(at: 0, greeting: [RedisCommand("AUTH", "geheim"), RedisCommand("PING")])
            guard case .down(let reason)? = machine.receive(.error(reply), at: 0).report else {
                Issue.record("it is not down")
                continue
            }
            #expect(reason.contains("it refuses the user or the password") && !reason.contains("geheim"))
        }
        var machine = Machine()
        _ = machine.start()
        _ = machine.connected(at: 0, greeting: [RedisCommand("PING")])
        #expect(machine.receive(.error("NOAUTH x"), at: 0).report == .down("it asks for a password"))
    }

    @Test func nothingFollowsTheEnd() {
        var machine = machineThatIsUp()
        _ = machine.add(1, at: 0)
        let end = machine.stop()
        #expect(end.closes && end.failed == [1] && end.report == nil)
        #expect(!machine.fail("x", at: 0).closes && !machine.wake(at: .max).connects && !machine.isUp)
    }

    @Test func callsAboveTheQueueAreRefused() {
        var machine = machineThatIsUp()
        for call in 0..<Machine.mostPending {
            #expect(machine.isUp)
            _ = machine.add(call, at: 0)
        }
        #expect(!machine.isUp)
        _ = machine.receive(.none, at: 0)
        #expect(machine.isUp)
    }
}
