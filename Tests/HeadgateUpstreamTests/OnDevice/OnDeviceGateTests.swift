import HeadgateHTTP
import Testing

@testable import HeadgateUpstream

@Suite struct OnDeviceGateTests {
    @Test func requestsWaitUntilTheModelIsReady() throws {
        var gate = OnDeviceGate()
        let (first, second) = (LocalServerWaiter(), LocalServerWaiter())
        #expect(gate.ask(for: first) == nil)
        #expect(gate.set(.starting("loading the model")) == nil)
        #expect(gate.ask(for: second) == nil)
        #expect(gate.notReady == TransportError(.notReady, "the on-device model is starting: loading the model"))
        let ready = gate.set(.ready(takesTools: false))
        let told = try #require(ready)
        #expect(told.waiters.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
        #expect(told.1.error == nil)
        let again = gate.set(.ready(takesTools: false))
        #expect(again?.waiters.isEmpty == true, "each is told once")
        let answer = gate.ask(for: LocalServerWaiter())
        let later = try #require(answer)
        #expect(later.error == nil)
    }

    @Test func requestsWaitWhileTheModelRestarts() {
        var gate = OnDeviceGate()
        _ = gate.set(.ready(takesTools: false))
        #expect(gate.set(.restarting) == nil)
        #expect(gate.ask(for: LocalServerWaiter()) == nil)
        #expect(gate.notReady == TransportError(.notReady, "the on-device model is starting again"))
        #expect(gate.set(.ready(takesTools: false))?.waiters.count == 1)
    }

    @Test func brokenModelRefusesWaitingAndNewRequests() throws {
        var gate = OnDeviceGate()
        _ = gate.ask(for: LocalServerWaiter())
        let failed = gate.set(.failed("python3 is not installed"))
        let told = try #require(failed)
        #expect(told.waiters.count == 1)
        let refusal = TransportError(.unavailable, "python3 is not installed")
        #expect(told.1.error == refusal)
        let answer = gate.ask(for: LocalServerWaiter())
        let later = try #require(answer)
        #expect(later.error == refusal)
    }

    @Test(arguments: [
        OnDeviceState.ready(takesTools: false), .starting("loading the model"), .restarting, .failed("it crashed"),
    ])
    func stoppedModelStaysStopped(_ late: OnDeviceState) throws {
        var gate = OnDeviceGate()
        _ = gate.ask(for: LocalServerWaiter())
        let stopped = gate.stop()
        let told = try #require(stopped)
        let refusal = TransportError(.unavailable, "the on-device model is being stopped")
        #expect(told.waiters.count == 1 && told.1.error == refusal)
        #expect(gate.set(late) == nil)
        #expect(gate.ask(for: LocalServerWaiter())?.error == refusal)
    }

    @Test func cancelledRequestIsForgotten() {
        var gate = OnDeviceGate()
        let (early, late) = (LocalServerWaiter(), LocalServerWaiter())
        _ = gate.ask(for: early)
        gate.forget(early)
        late.tell(.failure(TransportError(.cancelled)))
        _ = gate.ask(for: late)
        #expect(gate.set(.ready(takesTools: false))?.waiters.isEmpty == true)
    }
}

extension Result where Success == Void {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
