import Testing

@testable import HeadgateServer

@Suite struct HTTPConnectionStateMachineTests {
    private typealias Machine = HTTPConnection.StateMachine

    private func served() -> Machine {
        var machine = Machine()
        machine.beginExchange()
        _ = machine.endExchange(closes: false)
        return machine
    }

    private func lingering() -> Machine {
        var machine = Machine()
        machine.beginExchange()
        _ = machine.endExchange(closes: true)
        return machine
    }

    // MARK: After a response

    @Test func connectionTakesAnotherRequestAfterAResponse() {
        let machine = served()
        #expect(machine.phase == .awaitingHead)
    }

    @Test func connectionLingersAfterItsLastResponse() {
        var machine = Machine()
        machine.beginExchange()
        let goesOn = machine.endExchange(closes: true)
        #expect(!goesOn && machine.phase == .lingering)
    }

    @Test func responseEndedDuringAShutdownIsTheLast() {
        var machine = Machine()
        machine.beginExchange()
        #expect(machine.drain(keepingIdle: false) == .finishResponse)
        let goesOn = machine.endExchange(closes: false)
        #expect(!goesOn && machine.phase == .lingering)
    }

    @Test func lingeringConnectionReadsABoundedAmount() {
        var machine = lingering()
        let whole = machine.discard(Machine.lingeringOctets)
        #expect(!whole)
        let oneMore = machine.discard(1)
        #expect(oneMore)
        var bitByBit = lingering()
        let firstTooMany = (1...100).first { _ in bitByBit.discard(1024) }
        #expect(firstTooMany == 65)
    }

    // MARK: Deadlines

    @Test func deadlinesOfAServerWithoutSettings() {
        let limits = ServerLimits()
        #expect(limits.headTimeout == .seconds(10) && limits.keepAliveTimeout == .seconds(60))
        #expect(limits.bodyTimeout == .seconds(30) && limits.bodyCheckInterval == .seconds(5))
        #expect(limits.departureCheckInterval == .seconds(1) && limits.heartbeatInterval == .seconds(15))
        #expect(limits.writeTimeout == .seconds(30) && limits.drainTimeout == .seconds(30))
        let graces = ConnectionLimits(limits)
        #expect(graces.firstRequestGrace == 200_000_000 && graces.lastRequestGrace == 5_000_000_000)
    }

    @Test func firstHeadIsDueFromTheBeginning() {
        var machine = Machine()
        #expect(machine.deadlinePassed(isHandshaking: false) == .refuseHead)
        #expect(machine.deadlinePassed(isHandshaking: true) == .close, "nobody could read the refusal")
        let beginsAnew = machine.receivePartOfHead()
        #expect(!beginsAnew, "its time runs already")
        #expect(machine.deadlinePassed(isHandshaking: false) == .refuseHead)
    }

    @Test func laterHeadIsDueFromItsFirstByte() {
        var machine = served()
        #expect(machine.deadlinePassed(isHandshaking: false) == .close, "it was at rest")
        let begins = [machine.receivePartOfHead(), machine.receivePartOfHead()]
        #expect(begins == [true, false], "no octet after the first postpones it")
        #expect(machine.deadlinePassed(isHandshaking: false) == .refuseHead)
    }

    @Test func connectionIsIdleAgainAfterARequest() {
        var machine = served()
        _ = machine.receivePartOfHead()
        machine.beginExchange()
        #expect(machine.deadlinePassed(isHandshaking: false) == .lookAtExchange)
        _ = machine.endExchange(closes: false)
        #expect(machine.deadlinePassed(isHandshaking: false) == .close)
    }

    @Test func lingeringEndsAtItsDeadline() {
        #expect(lingering().deadlinePassed(isHandshaking: false) == .close)
    }

    // MARK: Shutdown

    @Test func shutdownClosesIdleConnectionsButAwaitsAFirstRequest() {
        var resting = served()
        #expect(resting.drain(keepingIdle: false) == .close)
        var new = Machine()
        #expect(new.drain(keepingIdle: false) == .awaitFirstRequest)
        #expect(new.deadlinePassed(isHandshaking: false) == .close, "its moment has passed")
    }

    @Test func handoverLetsTheNextRequestOfEachConnectionCome() {
        var resting = served()
        #expect(resting.drain(keepingIdle: true) == .awaitNextRequest)
        resting.beginExchange()
        let closes = resting.endExchange(closes: true)
        #expect(!closes && resting.phase == .lingering, "its response says that it was the last one")
        // The response began before the handover, so it did not announce the end of the connection.
        var serving = Machine()
        serving.beginExchange()
        #expect(serving.drain(keepingIdle: true) == .finishResponse)
        let goesOn = serving.endExchange(closes: false)
        #expect(goesOn && serving.deadlinePassed(isHandshaking: false) == .close)
    }

    @Test func connectionClosesOnce() {
        var machine = Machine()
        let closed = [machine.close(), machine.close()]
        #expect(closed == [true, false])
        #expect(machine.phase == .closed)
    }
}
