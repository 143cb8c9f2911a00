import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// State machines of a gateway that publishes its streams, and of one that reads another's, without I/O.
@Suite struct ReplicatedStreamMachineTests {
    private typealias Machine = ReplicatedStreamWriter.StateMachine
    private static let written = StreamShare.Result.written(StreamReaders(had: nil, isStopped: false))
    private static let second: UInt64 = 1_000_000_000

    // MARK: The writer

    @Test func onlyOneShareIsInFlight() {
        var machine = Machine()
        #expect(machine.next(hasEnded: false) == 0 && !machine.isOpen)
        machine.send(to: 3)
        #expect(machine.next(hasEnded: false) == nil)
        #expect(machine.answered(Self.written, to: 3, isLast: false, hasMore: true) == .share)
        #expect(machine.isOpen && machine.next(hasEnded: false) == 3)
        machine.send(to: 3)
        #expect(machine.answered(Self.written, to: 3, isLast: false, hasMore: false) == .wait)
    }

    @Test func unansweredShareIsSentAgain() {
        var machine = Machine()
        machine.send(to: 3)
        #expect(machine.answered(nil, to: 3, isLast: false, hasMore: true) == .wait)
        #expect(!machine.isOpen && machine.next(hasEnded: false) == 0)
    }

    @Test func storeThatLostAStreamReceivesItFromTheBeginning() {
        var machine = Machine()
        machine.send(to: 3)
        _ = machine.answered(Self.written, to: 3, isLast: false, hasMore: false)
        machine.send(to: 4)
        #expect(machine.answered(.unknown, to: 4, isLast: false, hasMore: false) == .share)
        #expect(!machine.isOpen && machine.next(hasEnded: false) == 0)
    }

    @Test func endDoesNotWaitForTheEarlierShare() {
        var machine = Machine()
        machine.send(to: 3)
        #expect(machine.next(hasEnded: true) == 3)
        machine.send(to: 5)
        #expect(machine.next(hasEnded: true) == nil)
        #expect(machine.answered(Self.written, to: 3, isLast: false, hasMore: true) == .wait)
        #expect(machine.answered(Self.written, to: 5, isLast: true, hasMore: false) == .over)
        #expect(machine.next(hasEnded: true) == nil)
    }

    @Test func streamNameOfAnotherGatewayIsNotTaken() {
        var machine = Machine()
        machine.send(to: 1)
        #expect(machine.answered(.taken, to: 1, isLast: false, hasMore: true) == .over)
        #expect(machine.next(hasEnded: false) == nil)
    }

    // MARK: The reader

    private func answer(
        _ events: Int, last: Int, dropped: Int = 0, isComplete: Bool? = nil, lives: Bool = true
    ) -> StreamAnswer {
        var answer = StreamAnswer()
        (answer.last, answer.dropped, answer.isComplete, answer.lives) = (last, dropped, isComplete, lives)
        answer.events = Array(repeating: [1], count: events)
        return answer
    }

    @Test func readerContinuesAtOnceWhileThereIsMore() {
        var reading = ReplicatedStreamReading(after: 2, at: 0)
        #expect(reading.take(answer(3, last: 9), at: 0) == .ask(after: .zero))
        #expect(reading.position == 5)
        #expect(reading.take(answer(4, last: 9), at: 0) == .ask(after: ReplicatedStreamReading.shortest))
        var pauses: [ReplicatedStreamReading.Next] = []
        for _ in 0..<3 { pauses.append(reading.take(answer(0, last: 9), at: 0)) }
        #expect(pauses == [.milliseconds(100), .milliseconds(200), .milliseconds(200)].map { .ask(after: $0) })
        #expect(reading.take(answer(1, last: 10), at: 0) == .ask(after: ReplicatedStreamReading.shortest))
    }

    @Test(arguments: [true, false])
    func endFollowsAllEvents(_ isComplete: Bool) {
        var reading = ReplicatedStreamReading(after: 0, at: 0)
        #expect(reading.take(answer(2, last: 3, isComplete: isComplete), at: 0) == .ask(after: .zero))
        let end = reading.take(answer(1, last: 3, isComplete: isComplete), at: 0)
        #expect(end == .end(isComplete ? .complete : .broken))
    }

    @Test func lostGatewayIsReportedAfterAllItsEvents() {
        var reading = ReplicatedStreamReading(after: 0, at: 0)
        #expect(reading.take(answer(2, last: 3, lives: false), at: 0) == .ask(after: .zero))
        #expect(reading.take(answer(1, last: 3, lives: false), at: 0) == .lost)
    }

    @Test func gapIsNamed() {
        var reading = ReplicatedStreamReading(after: 4, at: 0)
        #expect(reading.take(answer(0, last: 9, dropped: 6), at: 0) == .dropped(first: 7))
    }

    @Test func lostEventsAreNotRequestedAgain() {
        var reading = ReplicatedStreamReading(after: 4, at: 0)
        #expect(reading.take(answer(2, last: 9), at: 0) == .ask(after: .zero))
        #expect(reading.take(answer(0, last: 9), at: 0) == .dropped(first: 10))
        #expect(reading.take(answer(0, last: 9, lives: false), at: 0) == .lost)
        #expect(reading.take(answer(0, last: 9, isComplete: true), at: 0) == .lost)
    }

    @Test func unresponsiveStoreIsRetriedForAWhile() {
        var reading = ReplicatedStreamReading(after: 0, at: 0)
        #expect(reading.take(nil, at: 14 * Self.second) == .ask(after: .milliseconds(500)))
        #expect(reading.take(nil, at: 15 * Self.second) == .outOfReach)
        // A store that has forgotten the stream can receive it again.
        #expect(reading.take(.unknown, at: 14 * Self.second) == .ask(after: .milliseconds(500)))
        #expect(reading.take(.unknown, at: 15 * Self.second) == .lost)
        _ = reading.take(answer(0, last: 0), at: 15 * Self.second)
        #expect(reading.take(nil, at: 29 * Self.second) == .ask(after: .milliseconds(500)))
    }
}
