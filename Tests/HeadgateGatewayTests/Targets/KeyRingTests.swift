import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

private let second: UInt64 = 1_000_000_000

@Suite struct KeyRingTests {
    private let keys = [KeyRest(), KeyRest(), KeyRest()]
    private let ring: KeyRing

    init() { ring = KeyRing(keys, turn: KeyTurn()) }

    @Test func keysAreUsedInTurn() {
        #expect((0..<7).map { _ in ring.choose(for: "m", at: 0) } == [0, 1, 2, 0, 1, 2, 0].map { .key($0) })
    }

    @Test func ringsOfTheSameUpstreamShareTheTurn() {
        let turn = KeyTurn()
        let rings = [KeyRing(keys, turn: turn), KeyRing(keys, turn: turn)]
        #expect((0..<4).map { rings[$0 % 2].choose(for: "m", at: 0) } == [0, 1, 2, 0].map { .key($0) })
    }

    @Test func restingKeyIsSkippedUntilItsRestEnds() {
        keys[0].refuse(until: 30 * second)
        #expect((0..<3).map { _ in ring.choose(for: "m", at: 29 * second) } == [1, 1, 2].map { .key($0) })
        #expect((0..<3).map { _ in ring.choose(for: "m", at: 30 * second) } == [0, 1, 2].map { .key($0) })
    }

    @Test func triedKeysAreSkipped() {
        #expect(ring.choose(for: "m", at: 0) { $0 == 0 } == .key(1))
        #expect(ring.choose(for: "m", at: 0) { $0 != 2 } == .key(2))
        #expect(ring.choose(for: "m", at: 0) { _ in true } == .exhausted)
    }

    @Test func restingKeysReportTheFirstEndAndTheWeakestReason() {
        keys[0].refuse(until: 10 * second)
        keys[1].limit("m", until: 20 * second, isAsked: false, at: 0)
        keys[2].limit("m", until: 15 * second, isAsked: true, at: 0)
        #expect(ring.choose(for: "m", at: second) == .resting(1, .refused, until: 10 * second))
        #expect(ring.choose(for: "m", at: second) { $0 == 1 } == .resting(2, .asked, until: 10 * second))
        #expect(ring.choose(for: "m", at: second) { $0 > 0 } == .resting(0, .wrong, until: 10 * second))
        #expect(ring.choose(for: "n", at: second) == .key(1))
    }

    @Test func ringHasAKeyToUseUnlessAllRest() {
        keys[0].refuse(until: 10 * second)
        #expect(ring.hasOneToUse(for: "m", at: 0))
        for key in keys { key.limit("m", until: 20 * second, isAsked: true, at: 0) }
        #expect(!ring.hasOneToUse(for: "m", at: 20 * second - 1))
        #expect(ring.hasOneToUse(for: "n", at: 0) && ring.hasOneToUse(for: "m", at: 20 * second))
        #expect(KeyRing([], turn: KeyTurn()).hasOneToUse(for: "m", at: 0), "no key is needed")
    }

    @Test func ringWithoutKeysIsExhausted() {
        #expect(KeyRing([], turn: KeyTurn()).choose(for: "m", at: 0) == .exhausted)
    }

    @Test func keysShareTheLoadOverThreads() async {
        let ring = ring
        let chosen = await concurrently(4) { (0..<300).map { _ in ring.choose(for: "m", at: 0) } }.flatMap { $0 }
        for index in 0..<3 { #expect(chosen.count { $0 == .key(index) } == 400) }
    }

    @Test func namesOfKeysDifferByUpstreamAndKey() {
        let name = KeyName(upstream: "a", key: Secret("sk-1"))
        #expect(name == KeyName(upstream: "a", key: Secret("sk-1")))
        #expect(name != KeyName(upstream: "a", key: Secret("sk-2")))
        #expect(name != KeyName(upstream: "b", key: Secret("sk-1")))
        #expect(!"\(name)".contains("sk-1"))
    }
}
