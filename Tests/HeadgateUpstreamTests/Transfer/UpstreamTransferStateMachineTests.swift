import Testing

@testable import HeadgateUpstream

@Suite struct UpstreamTransferStateMachineTests {
    private typealias Machine = UpstreamTransfer.StateMachine

    /// Returns a transfer whose request is being sent.
    private func sent() -> Machine {
        var machine = Machine()
        machine.sends()
        return machine
    }

    /// Returns a transfer that has received the head of the response.
    private func answered(status: Int = 200, closes: Bool = false, isRequestSent: Bool = true) -> Machine {
        var machine = sent()
        _ = machine.answers(onReused: false, hasSentRequest: true)
        _ = machine.beginBody(status: status, closes: closes, isRequestSent: isRequestSent)
        return machine
    }

    // MARK: Reuse of the connection

    @Test func wholeExchangeLeavesAConnectionToReuse() {
        var machine = answered()
        #expect(machine.complete(leftover: 0) == true)
        #expect(machine.phase == .ended)
    }

    @Test(arguments: [1, 64 * 1024])
    func connectionIsNotReusedIfBytesFollowTheResponse(leftover: Int) {
        var machine = answered()
        #expect(machine.complete(leftover: leftover) == false)
    }

    @Test func connectionClosedByThePeerIsNotReused() {
        var machine = answered(closes: true)
        #expect(machine.complete(leftover: 0) == false)
    }

    @Test(arguments: [200, 413])
    func connectionIsNotReusedWhenTheRequestWasNotWhollySent(status: Int) {
        var machine = answered(status: status, isRequestSent: false)
        #expect(machine.complete(leftover: 0) == false)
    }

    @Test(arguments: [(200, false), (299, false), (300, true), (413, true), (500, true)])
    func onlyARefusalEndsTheUpload(status: Int, isDropped: Bool) {
        var machine = sent()
        #expect(machine.beginBody(status: status, closes: false, isRequestSent: false) == isDropped)
        var whole = sent()
        #expect(whole.beginBody(status: status, closes: false, isRequestSent: true) == false)
    }

    // MARK: Resending

    @Test func bytesBeforeTheRequestAreNotItsResponse() {
        var machine = sent()
        #expect(machine.answers(onReused: true, hasSentRequest: false) == false)
        #expect(machine.fail(onReused: true) == .sendAgain, "nothing of an answer has come")
    }

    @Test func responseIsRecognizedOnFreshAndReusedConnections() {
        var machine = sent()
        #expect(machine.answers(onReused: true, hasSentRequest: true) == true)
        machine = sent()
        #expect(machine.answers(onReused: false, hasSentRequest: false) == true, "such as a 503 of a busy peer")
    }

    @Test func requestIsResentOnceAfterAReusedConnectionDied() {
        var machine = sent()
        #expect(machine.fail(onReused: true) == .sendAgain)
        #expect(machine.phase == .connecting)
        machine.sends()
        #expect(machine.fail(onReused: true) == .failHead)
    }

    @Test func requestIsNotResentAfterAFreshConnectionDied() {
        var machine = sent()
        #expect(machine.fail(onReused: false) == .failHead)
    }

    @Test func requestIsNotResentOnceAResponseByteHasArrived() {
        var machine = sent()
        #expect(machine.answers(onReused: true, hasSentRequest: true) == true)
        #expect(machine.fail(onReused: true) == .failHead)
    }

    @Test func truncatedBodyIsNotRequestedAgain() {
        var machine = answered()
        #expect(machine.fail(onReused: true) == .failBody)
        #expect(machine.fail(onReused: true) == .nothing)
    }

    // MARK: Silence

    @Test func silenceIsWatchedInsideTheBodyOnly() {
        #expect(!Machine().watchesSilence)
        #expect(!sent().watchesSilence)
        var machine = answered()
        #expect(machine.watchesSilence)
        _ = machine.complete(leftover: 0)
        #expect(!machine.watchesSilence)
    }

    @Test func silenceIsNotHeldAgainstTheUpstreamWhileItIsPaused() {
        var machine = answered()
        machine.pause()
        #expect(!machine.watchesSilence)
        machine.resume()
        #expect(machine.watchesSilence)
    }

    @Test func unwantedRestHasASeparateDeadline() {
        var machine = answered()
        #expect(machine.discardRest() == true)
        #expect(!machine.watchesSilence)
        #expect(machine.complete(leftover: 0) == true, "it was read to its end")
        var early = sent()
        #expect(early.discardRest() == false, "there is no rest before the head")
    }

    // MARK: Ends

    @Test func endIsReportedToTheWaitingCaller() {
        var machine = Machine()
        #expect(machine.end() == .failHead)
        machine = sent()
        #expect(machine.end() == .failHead)
        machine = answered()
        #expect(machine.end() == .failBody)
        #expect(machine.end() == .nothing)
    }
}
