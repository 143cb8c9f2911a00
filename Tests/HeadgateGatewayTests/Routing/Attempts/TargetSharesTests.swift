import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Distribution of ten thousand requests over the targets.
@Suite struct TargetSharesTests {
    typealias Plan = PlannedTransport.Plan

    /// Returns a gateway with a target for each weight, which responds with its name unless it is gone.
    private func gateway(
        weights: [Int], affinity: Affinity = .none, gone: String? = nil, state: GatewayState = GatewayState()
    ) -> RoutedGateway {
        let plans = zip(RoutedGateway.names, weights).map { name, _ in
            [name == gone ? Plan.failing(.connect) : .answer(name)]
        }
        return RoutedGateway(plans, state: state) { model, _ in
            model.choice = .weighted
            model.affinity = affinity
            for index in model.targets.indices {
                model.targets[index].weight = weights[index]
                model.targets[index].breaker = BreakerConfiguration(cooldown: .seconds(1))
            }
        }
    }

    /// - Returns: the target that responded; nil if none did.
    private func ask(_ gateway: RoutedGateway, conversation: Int, turn: Int = 0) async -> String? {
        let later = (0..<turn).map { #",{"role":"user","content":"turn \#($0)"}"# }.joined()
        let answer = await gateway.running.ask(
            .post, "/v1/chat/completions",
            body: #"{"model":"m","messages":[{"role":"user","content":"conversation \#(conversation)"}\#(later)]}"#)
        guard answer.status == 200 else { return nil }
        return RoutedGateway.names.first { answer.text.contains("\"content\":\"\($0)\"") }
    }

    private func asked(_ gateway: RoutedGateway, conversations: Int, turn: Int = 0) async -> [String?] {
        var targets: [String?] = []
        for number in 0..<conversations {
            targets.append(await ask(gateway, conversation: number, turn: turn))
        }
        return targets
    }

    @Test(arguments: [Affinity.none, .conversation])
    func requestsAreSharedOutByWeight(affinity: Affinity) async {
        let gateway = gateway(weights: [3, 1], affinity: affinity)
        let targets = await asked(gateway, conversations: 10_000)
        #expect(abs(targets.count { $0 == "a" } - 7_500) <= 200)
        #expect(gateway.sent.reduce(0, +) == 10_000)
    }

    @Test func aConversationMovesOnlyWhileItsTargetIsGone() async {
        let state = GatewayState()
        let count = 2_500
        let whole = gateway(weights: [1, 1, 1, 1], affinity: .conversation, state: state)
        let first = await asked(whole, conversations: count)
        #expect(await asked(whole, conversations: count, turn: 1) == first)

        let reduced = gateway(weights: [1, 1, 1, 1], affinity: .conversation, gone: "b", state: state)
        let meanwhile = await asked(reduced, conversations: count, turn: 2)
        let moved = zip(first, meanwhile).count { $0 != $1 }
        #expect(moved == first.count { $0 == "b" }, "the others stay")
        #expect(moved <= count / 4 + count / 50)
        #expect(!meanwhile.contains(nil))
        // Most of the moved conversations have not even tried the target.
        #expect(reduced.sent[1] < moved / 4)

        let healed = gateway(weights: [1, 1, 1, 1], affinity: .conversation, state: state)
        // The breaker of the target admits one request after its cooldown.
        for _ in 0..<count where healed.sent[1] == 0 { _ = await asked(healed, conversations: 8) }
        #expect(await asked(healed, conversations: count, turn: 3) == first)
    }
}
