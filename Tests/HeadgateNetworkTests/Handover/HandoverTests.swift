import HeadgateLibC
import Testing

@testable import HeadgateNetwork

@Suite struct HandoverTests {
    private typealias Machine = HandoverStateMachine

    // MARK: Steps

    @Test func successorThatServesEndsTheGateway() {
        var machine = Machine()
        let steps = [machine.receive(.ready), machine.receive(.serving)]
        #expect(steps == [.commit, .finish])
    }

    @Test func reasonOfASuccessorIsPassedOn() {
        var machine = Machine()
        let step = machine.receive(.refused("no such file"))
        #expect(step == .stay("no such file"))
        var later = Machine()
        _ = later.receive(.ready)
        let lateStep = later.receive(.refused("no address"))
        #expect(lateStep == .stay("no address"))
    }

    @Test(
        arguments: [
            [.serving], [.commit], [.offer(.init(sockets: [], locks: []))], [.ready, .ready], [.ready, .commit],
            [.ready, .serving, .serving], [.refused("a"), .ready], [.refused("a"), .serving],
        ] as [[HandoverMessage]])
    func messageOutOfOrderLeavesTheGatewayAsItIs(messages: [HandoverMessage]) {
        var machine = Machine()
        let steps = messages.map { machine.receive($0) }
        guard case .stay(let reason)? = steps.last else {
            Issue.record("\(steps)")
            return
        }
        #expect(reason.contains("order"))
    }

    @Test(arguments: [HandoverError.ended, .silent, .foreign, .system(EIO)], [false, true])
    func failureLeavesTheGatewayAsItIs(error: HandoverError, isReady: Bool) {
        var machine = Machine()
        if isReady { _ = machine.receive(.ready) }
        let step = machine.fail(error, isEnding: false)
        guard case .stay = step else {
            Issue.record("\(step)")
            return
        }
        let after = machine.receive(isReady ? .serving : .ready)
        #expect(after != .finish && after != .commit, "it is over")
    }

    @Test func gatewayThatEndsMeanwhileSaysSo() {
        var machine = Machine()
        let step = machine.fail(.silent, isEnding: true)
        #expect(step == .stay("the gateway is shutting down"))
    }

    // MARK: The socket

    @Test func descriptorsComeWithTheirMessage() throws {
        let (one, other) = try HandoverChannel.pair()
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let offer = HandoverMessage.offer(.init(sockets: [], locks: ["/a", "/b"]))
        try one.send(offer, ends)
        #expect(try other.receive(within: .seconds(5)) == offer)
        let passed = other.takeDescriptors()
        defer { for descriptor in passed { close(descriptor) } }
        #expect(passed.count == 2 && other.takeDescriptors().isEmpty)
        #expect(passed.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 }, "no child gets them")
        var byte: UInt8 = 7
        #expect(write(passed[1], &byte, 1) == 1)
        var read: UInt8 = 0
        #expect(HeadgateLibC.read(ends[0], &read, 1) == 1 && read == 7, "they are the same pipe")
    }

    @Test func endAndSilenceOfTheOtherSideAreTold() throws {
        var (one, other): (HandoverChannel?, HandoverChannel) = try HandoverChannel.pair()
        #expect(throws: HandoverError.silent) { try other.receive(within: .milliseconds(1)) }
        var asked = 0
        #expect(throws: HandoverError.silent) {
            try other.receive(within: .seconds(600)) {
                asked += 1
                return true
            }
        }
        #expect(asked == 1, "the caller can cancel")
        try one?.send(.ready)
        one = nil
        #expect(try other.receive(within: .seconds(5)) == .ready, "what came before the end is read")
        #expect(throws: HandoverError.ended) { try other.receive(within: .seconds(5)) }
        #expect(throws: HandoverError.ended) { try other.send(.commit) }
    }
}
