import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct UpstreamAttemptStateMachineTests {
    typealias Machine = UpstreamAttempt.StateMachine

    private func sent(_ expectation: Machine.Expectation) -> Machine {
        var machine = Machine()
        machine.send(expecting: expectation)
        return machine
    }

    @Test(arguments: [
        (
            Machine.Expectation.document, Machine.ContentType.other, true,
            Machine.Action.collect(.document, upTo: 64 << 20)
        ),
        (.document, .other, false, .collect(.document, upTo: 64 << 20)),
        (.document, .events, true, .collect(.document, upTo: 64 << 20)),
        (.events, .other, true, .open), (.events, .events, false, .failWithoutBody),
        (.eventsOrDocument, .events, true, .open), (.eventsOrDocument, .events, false, .failWithoutBody),
        (.eventsOrDocument, .other, true, .collect(.document, upTo: 64 << 20)),
        (.media, .media, true, .passMedia), (.media, .media, false, .collect(.notMedia, upTo: 256 << 10)),
        (.media, .other, true, .collect(.notMedia, upTo: 256 << 10)),
        (.media, .text, true, .collect(.notMedia, upTo: 256 << 10)),
        (.anything, .events, true, .open), (.anything, .events, false, .failWithoutBody),
        (.anything, .text, true, .passMedia), (.anything, .text, false, .collect(.document, upTo: 64 << 20)),
        (.anything, .media, true, .collect(.document, upTo: 64 << 20)),
        (.anything, .other, true, .collect(.document, upTo: 64 << 20)),
    ])
    func headDecidesTheKindOfBody(
        _ expectation: Machine.Expectation, _ type: Machine.ContentType, _ hasBody: Bool, _ action: Machine.Action
    ) {
        var machine = sent(expectation)
        #expect(machine.receiveHead(status: 200, hasBody: hasBody, type: type) == action)
    }

    @Test(
        arguments: [Machine.Expectation.document, .events, .eventsOrDocument, .media, .anything],
        [100, 199, 300, 404, 599])
    func otherStatusIsAlwaysAnError(_ expectation: Machine.Expectation, _ status: Int) {
        var machine = sent(expectation)
        #expect(
            machine.receiveHead(status: status, hasBody: true, type: .media) == .collect(.error, upTo: 256 << 10))
        #expect(machine.collected(0) == .report(.error))
        #expect(machine.phase == .over)
    }

    @Test func longDocumentIsReadOnASideThread() {
        for (octets, onSideThread) in [(0, false), (LongDocument.threshold, false), (LongDocument.threshold + 1, true)]
        {
            var machine = sent(.document)
            _ = machine.receiveHead(status: 299, hasBody: true, type: .other)
            #expect(machine.collected(octets) == .read(onSideThread: onSideThread))
            #expect(machine.succeed() == .respond)
        }
    }

    @Test func attemptEndsOnce() {
        var machine = sent(.events)
        #expect(machine.receiveHead(status: 200, hasBody: true, type: .other) == .open)
        #expect(machine.succeed() == .respond)
        #expect(machine.succeed() == .nothing)
        #expect(machine.fail() == .nothing)
        #expect(machine.collected(1) == .nothing)
        #expect(machine.receiveHead(status: 200, hasBody: true, type: .other) == .nothing)
    }

    @Test func failureEndsEveryPhase() {
        var machines = [Machine(), sent(.document), sent(.events), sent(.document), sent(.document)]
        _ = machines[2].receiveHead(status: 200, hasBody: true, type: .other)
        _ = machines[3].receiveHead(status: 200, hasBody: true, type: .other)
        _ = machines[4].receiveHead(status: 200, hasBody: true, type: .other)
        _ = machines[4].collected(1)
        #expect(machines.map(\.phase) == [.preparing, .sending, .opening, .collecting(.document), .reading])
        for index in machines.indices {
            #expect(machines[index].fail() == .fail)
            #expect(machines[index].fail() == .nothing)
        }
    }

    @Test func headBeforeTheRequestIsSentIsIgnored() {
        var machine = Machine()
        #expect(machine.receiveHead(status: 200, hasBody: true, type: .other) == .nothing)
        #expect(!machine.decidesByType && sent(.media).decidesByType && sent(.eventsOrDocument).decidesByType)
    }
}
