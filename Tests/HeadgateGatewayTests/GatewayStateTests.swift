import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct GatewayStateTests {
    private let state = GatewayState()

    @Test func stateIsFoundByName() {
        let name = TargetName(upstream: "a", model: "m")
        #expect(state.targets.health(of: name) === state.targets.health(of: TargetName(upstream: "a", model: "m")))
        #expect(state.targets.health(of: name) !== state.targets.health(of: TargetName(upstream: "a", model: "n")))
        #expect(state.targets.reach(of: "a") === state.targets.reach(of: "a"))
        #expect(state.targets.reach(of: "a") !== state.targets.reach(of: "b"))
    }

    @Test func keysKeepTheirRestAndOrderWhenOthersChange() {
        let before = state.targets.keyRing([Secret("1"), Secret("2"), Secret("3")], of: "a")
        #expect(before.choose(for: "m", at: 0) == .key(0))
        before[1].refuse(until: 100)
        let after = state.targets.keyRing([Secret("4"), Secret("2"), Secret("1")], of: "a")
        #expect(after.choose(for: "m", at: 50) == .key(2))
        #expect(after[1].rest(of: "m", at: 50)?.until == 100)
        #expect(state.targets.keyRing([Secret("2")], of: "b").choose(for: "m", at: 50) == .key(0))
    }

    @Test func breakersAreReportedByName() {
        let (name, other) = (TargetName(upstream: "a", model: "m"), TargetName(upstream: "a", model: "n"))
        let (health, healthy) = (state.targets.health(of: name), state.targets.health(of: other))
        health.noteFailure(at: 100, threshold: 1, cooldown: 50)
        #expect(state.targets.openBreakers(at: 120) == [BreakerHint(upstream: "a", model: "m", remaining: 30)])
        #expect(state.targets.openBreakers(at: 150).isEmpty)
        let unknown = BreakerHint(upstream: "x", model: "n", remaining: 10)
        state.targets.note([BreakerHint(upstream: "a", model: "n", remaining: 10), unknown], at: 100)
        #expect(healthy.hintedUntil(at: 105) == 110 && health.hintedUntil(at: 105) == nil)
        state.targets.note([], at: 100)
        #expect(healthy.hintedUntil(at: 105) == nil)
    }

    @Test func retriesAreCountedOverAllModels() {
        for _ in 0..<3 { #expect(state.targets.takeRetry(percent: 10, at: 0)) }
        #expect(!state.targets.takeRetry(percent: 10, at: 0))
        for _ in 0..<40 { state.targets.noteRequest(at: 0) }
        #expect(state.targets.takeRetry(percent: 10, at: 0))
        #expect(!state.targets.takeRetry(percent: 10, at: 0))
    }

    /// Replicas of different versions must compute the same hashes.
    @Test func hashesOfNamesNeverChange() {
        #expect(TargetName(upstream: "openai", model: "gpt-5").stableHash == 1_339_977_081_928_550_461)
        #expect(
            TargetName(upstream: "ab", model: "c").stableHash != TargetName(upstream: "a", model: "bc").stableHash)
    }
}
