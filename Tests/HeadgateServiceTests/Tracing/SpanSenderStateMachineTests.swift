import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateService

@Suite struct SpanSenderStateMachineTests {
    private typealias Machine = SpanSender.StateMachine
    private typealias Step = SpanSender.StateMachine.Step

    private static let second: UInt64 = 1_000_000_000

    /// Returns a machine with a queue of 10 spans and batches of 4. It waits at most 1 s for a full batch, and retries
    /// a batch for 10 s.
    private func machine() -> Machine {
        var limits = SpanBatching()
        limits.queue = 10
        limits.batch = 4
        limits.delay = .seconds(1)
        limits.patience = .seconds(10)
        return Machine(limits)
    }

    private func spans(_ numbers: ClosedRange<Int>) -> [Span] {
        numbers.map { number in
            let context = TraceContext(
                traceID: TraceID(high: 0, low: 1), spanID: SpanID(number: UInt64(number)), isSampled: true)
            return Span("\(number)", .client, context, parent: nil, start: 0)
        }
    }

    private static let taken = SpanAnswer.taken(rejected: 0, message: "")

    @Test func firstSpanWaitsForOthers() {
        var machine = machine()
        #expect(machine.isEmpty)
        #expect(machine.add(spans(1...1), at: 5) == Step(wakeUp: 5 + Self.second))
        #expect(machine.add(spans(2...2), at: 6) == Step(wakeUp: 5 + Self.second))
        #expect(machine.wake(at: 7) == Step(wakeUp: 5 + Self.second))
        #expect(machine.wake(at: 5 + Self.second) == Step(batch: spans(1...2)))
        #expect(!machine.isEmpty)
        #expect(machine.receive(Self.taken, at: 9, random: 0) == Step())
        #expect(machine.isEmpty)
    }

    @Test func fullBatchIsSentAtOnceAndOnlyOneIsInFlight() {
        var machine = machine()
        #expect(machine.add(spans(1...9), at: 0) == Step(batch: spans(1...4)))
        #expect(machine.add(spans(10...10), at: 1) == Step())
        #expect(machine.wake(at: 99 * Self.second) == Step())
        #expect(machine.receive(Self.taken, at: 2, random: 0) == Step(batch: spans(5...8)))
        // The remaining spans are not a full batch.
        #expect(machine.receive(Self.taken, at: 3, random: 0) == Step(wakeUp: 2 + Self.second))
        #expect(machine.wake(at: 2 + Self.second) == Step(batch: spans(9...10)))
    }

    @Test func spansAboveTheQueueAreLostAndCounted() {
        var machine = machine()
        #expect(machine.add(spans(1...1000), at: 0) == Step(batch: spans(1...4), lost: 990))
        #expect(machine.add(spans(1001...1010), at: 0) == Step(lost: 6))
    }

    @Test func pausesGrowUntilTheBatchIsDropped() {
        var machine = machine()
        #expect(machine.add(spans(1...4), at: 0).batch == spans(1...4))
        var now: UInt64 = 0
        var waits: [Double] = []
        while true {
            let step = machine.receive(.failed("connect"), at: now, random: 1)
            #expect(step.report == (waits.isEmpty ? .failing("connect") : nil))
            guard let wake = step.wakeUp else {
                #expect(step == Step(lost: 4))
                break
            }
            waits.append(Double(wake - now) / Double(Self.second))
            #expect(machine.wake(at: wake - 1) == Step(wakeUp: wake))
            #expect(machine.wake(at: wake) == Step(batch: spans(1...4)))
            now = wake
        }
        #expect(waits == [1, 1.5, 2.25, 3.375])
        #expect(machine.isEmpty)
        // The pause is as long as that of the next retry.
        #expect(machine.add(spans(5...8), at: now) == Step(wakeUp: now + 5 * Self.second))
        #expect(machine.wake(at: now + 5 * Self.second) == Step(batch: spans(5...8)))
        let back = machine.receive(Self.taken, at: now, random: 0)
        #expect(back == Step(report: .working(lost: 4)))
    }

    @Test func pausesHaveJitter() {
        var machine = machine()
        _ = machine.add(spans(1...4), at: 0)
        #expect(machine.receive(.failed("x"), at: 0, random: 0).wakeUp == Self.second / 2)
    }

    @Test func collectorsRetryAfterIsHonoured() {
        var machine = machine()
        _ = machine.add(spans(1...4), at: 0)
        let patient = machine.receive(.failed("status 503", pause: .seconds(7)), at: 0, random: 0)
        #expect(patient.wakeUp == 7 * Self.second)
        #expect(machine.wake(at: 7 * Self.second).batch == spans(1...4))
        // A longer pause loses the batch, and the next one still waits.
        let late = machine.receive(.failed("status 503", pause: .seconds(60)), at: 7 * Self.second, random: 0)
        #expect(late == Step(lost: 4))
        #expect(machine.add(spans(5...8), at: 8 * Self.second) == Step(wakeUp: 67 * Self.second))
        #expect(machine.wake(at: 67 * Self.second).batch == spans(5...8))
    }

    @Test func everyCollectorIsRetriedEventually() {
        var machine = machine()
        _ = machine.add(spans(1...4), at: 0)
        _ = machine.receive(.failed("status 429", pause: .seconds(1_000_000)), at: 0, random: 0)
        #expect(machine.add(spans(5...5), at: 0).wakeUp == 300 * Self.second)
    }

    @Test func refusedBatchIsNotSentAgain() {
        var machine = machine()
        _ = machine.add(spans(1...5), at: 0)
        let refused = machine.receive(.refused("status 400"), at: 1, random: 0)
        #expect(refused == Step(wakeUp: Self.second, report: .failing("status 400"), lost: 4))
        #expect(machine.wake(at: Self.second).batch == spans(5...5))
        #expect(machine.receive(.refused("status 400"), at: 2, random: 0) == Step(lost: 1))
        _ = machine.add(spans(6...9), at: 3)
        #expect(machine.receive(Self.taken, at: 4, random: 0).report == .working(lost: 5))
    }

    @Test func rejectedSpansAreCountedAndReportedOnce() {
        var machine = machine()
        let partly = SpanAnswer.taken(rejected: 1, message: "too old")
        _ = machine.add(spans(1...4), at: 0)
        #expect(
            machine.receive(partly, at: 0, random: 0) == Step(report: .rejecting(1, message: "too old"), lost: 1))
        _ = machine.add(spans(1...4), at: 0)
        #expect(machine.receive(partly, at: 0, random: 0) == Step(lost: 1))
        _ = machine.add(spans(1...4), at: 0)
        #expect(machine.receive(Self.taken, at: 0, random: 0) == Step())
    }

    @Test func rejectedCountIsCappedByTheBatch() {
        var machine = machine()
        let absurd = SpanAnswer.taken(rejected: .max, message: "")
        for round in 0..<3 {
            _ = machine.add(spans(1...4), at: 0)
            let step = machine.receive(absurd, at: 0, random: 0)
            #expect(step == Step(report: round == 0 ? .rejecting(4, message: "") : nil, lost: 4))
        }
        _ = machine.add(spans(1...4), at: 0)
        #expect(machine.receive(.taken(rejected: .min, message: ""), at: 0, random: 0) == Step())
    }

    @Test func longSpansFillTheQueueBeforeItsCountDoes() {
        var limits = SpanBatching()
        limits.octets = 10_000
        limits.batch = 2
        var machine = Machine(limits)
        var long = spans(1...5)
        for index in long.indices { long[index].set("a", String(repeating: "x", count: 3000)) }
        #expect(machine.add(long, at: 0) == Step(batch: Array(long[..<2]), lost: 2))
        #expect(machine.add(long, at: 0) == Step(lost: 5))
        // Sent and lost spans both leave room.
        _ = machine.receive(Self.taken, at: 0, random: 0)
        #expect(machine.add(Array(long[..<2]), at: 0) == Step(batch: [long[2], long[0]]))
        _ = machine.receive(.refused("status 400"), at: 0, random: 0)
        _ = machine.cancel()
        #expect(machine.add(long, at: 0).lost == 2)
    }

    @Test func endSendsEverythingAtOnce() {
        var machine = machine()
        _ = machine.add(spans(1...1), at: 0)
        #expect(machine.end(at: 1) == Step(batch: spans(1...1)))
        #expect(machine.add(spans(2...6), at: 1) == Step())
        #expect(machine.receive(Self.taken, at: 1, random: 0).batch == spans(2...5))
        #expect(machine.receive(Self.taken, at: 1, random: 0).batch == spans(6...6))
        #expect(machine.receive(Self.taken, at: 1, random: 0) == Step())
        #expect(machine.isEmpty)
    }

    @Test func shutdownRetriesOnce() {
        var machine = machine()
        _ = machine.add(spans(1...6), at: 0)
        _ = machine.receive(.failed("connect"), at: 0, random: 0)
        #expect(machine.end(at: 1) == Step(batch: spans(1...4)))
        #expect(machine.receive(.failed("connect"), at: 1, random: 0) == Step(lost: 6))
        #expect(machine.isEmpty)
    }

    @Test func droppedSpansAreCounted() {
        var machine = machine()
        _ = machine.add(spans(1...6), at: 0)
        #expect(machine.cancel() == 6 && machine.isEmpty && machine.cancel() == 0)
    }
}
