import Testing

@testable import HeadgateUpstream

@Suite struct LocalServerGateTests {
    @Test func onlyAReadyProgramIsEntered() {
        var gate = LocalServerGate()
        for state in [LocalServerState.stopped, .starting, .stopping, .failed("x")] {
            gate.set(state, at: 0)
            #expect(gate.enter() == false)
        }
        gate.set(.ready, at: 0)
        #expect(gate.enter() == true)
        #expect(gate.requestsInFlight == 1)
    }

    @Test func quietIsCountedFromTheLastEnd() {
        var gate = LocalServerGate()
        gate.set(.ready, at: 100)
        #expect(gate.closeIfQuiet(for: 50, at: 149) == 150)
        #expect(gate.enter() == true)
        #expect(gate.closeIfQuiet(for: 50, at: 500) == 550, "a request is in flight")
        _ = gate.leave(at: 520)
        gate.set(.ready, at: 530)
        #expect(gate.closeIfQuiet(for: 50, at: 550) == 570)
        #expect(gate.closeIfQuiet(for: 50, at: 570) == nil)
        #expect(gate.state == .stopping)
        #expect(gate.enter() == false, "closed together with the decision to stop")
    }

    /// The owner of a program learns of its last request's end if the program is stopping, or if others wait for it.
    @Test(arguments: [true, false]) func endOfTheLastRequestIsReported(_ isGrouped: Bool) {
        var gate = LocalServerGate(isGrouped: isGrouped)
        gate.set(.ready, at: 0)
        for _ in 0..<2 { #expect(gate.enter() == true) }
        #expect(gate.leave(at: 1) == false)
        #expect(gate.leave(at: 2) == isGrouped)
        #expect(gate.enter() == true)
        #expect(gate.close() == false && gate.state == .stopping)
        #expect(gate.leave(at: 3) == true && gate.requestsInFlight == 0)
        #expect(gate.close() == true)
    }

    @Test func longestLimitNeverExpires() {
        var gate = LocalServerGate()
        gate.set(.ready, at: 100)
        #expect(gate.closeIfQuiet(for: .max, at: .max) == .max)
    }
}
