import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Effects of an upstream's refusal of one request on others.
@Suite struct RestingKeysTests {
    typealias Plan = PlannedTransport.Plan

    private static func refusal(_ status: Int, retryAfter: String? = nil) -> Plan {
        .json(
            #"{"error":{"message":"no"}}"#, status: status,
            headerFields: retryAfter.map { [.retryAfter: $0] } ?? [:])
    }

    /// Returns a gateway whose model matches all names.
    private func gateway(_ plans: [[Plan]]) -> RoutedGateway {
        RoutedGateway(plans) { model, _ in model.name = "*" }
    }

    private func ask(_ gateway: RoutedGateway, _ model: String) async -> InProcessGateway.Response {
        await gateway.running.chat(model: model, stream: false)
    }

    @Test(arguments: [403, 429]) func refusalOfOneRequestAffectsNoOther(_ status: Int) async {
        let gateway = gateway([[Self.refusal(status), .answer("A")], [Self.refusal(status), .answer("B")]])
        #expect(await ask(gateway, "x").status == status)
        for model in ["x", "y"] {
            let answer = await ask(gateway, model)
            #expect(answer.status == 200 && answer.headerFields[.xHeadgateUpstream] == "a")
        }
        #expect(gateway.sent == [3, 1])
    }

    @Test(arguments: [403, 429]) func otherModelsContinueWithTheKey(_ status: Int) async {
        let gateway = gateway([[Self.refusal(status), .answer("A")], [.answer("B")]])
        for _ in 0..<2 { #expect(await ask(gateway, "x").headerFields[.xHeadgateUpstream] == "b") }
        #expect(await ask(gateway, "y").headerFields[.xHeadgateUpstream] == "a")
    }

    @Test(arguments: [403, 429]) func keyRefusedForTwoModelsRestsForAll(_ status: Int) async {
        let refusal = Self.refusal(status)
        let gateway = gateway([[refusal, refusal, .answer("A")], [.answer("B")]])
        for model in ["x", "y", "z"] { #expect(await ask(gateway, model).headerFields[.xHeadgateUpstream] == "b") }
        #expect(gateway.sent == [2, 3])
    }

    @Test func wrongKeyIsNeverTheLastResort() async {
        let gateway = gateway([[Self.refusal(401), .answer("A")], [Self.refusal(401), .answer("B")]])
        #expect(await ask(gateway, "x").status == 502)
        for model in ["x", "y"] {
            let answer = await ask(gateway, model)
            #expect(answer.status == 429 && answer.text.contains("targets_resting"))
            #expect((1...30).contains(Int(answer.headerFields[.retryAfter] ?? "") ?? 0))
        }
        #expect(gateway.sent == [1, 1])
    }

    @Test func unknownKeyPrecedesAWrongOne() async {
        let gateway = gateway([[Self.refusal(401), .answer("A")], [Self.refusal(429), .answer("B")]])
        #expect(await ask(gateway, "x").status != 200)
        #expect(await ask(gateway, "x").headerFields[.xHeadgateUpstream] == "b")
    }

    @Test func restingKeysYieldA429WithTheShortestWait() {
        let routing = ManualRouting(targets: 2)
        let first = routing.chat(stream: false)
        for (upstream, wait) in zip(routing.upstreams, ["9", "4"]) {
            upstream.calls[0].respond(429, type: "application/json", fields: [.retryAfter: wait])
            upstream.calls[0].body.finish()
        }
        #expect(first.status == 429 && first.fields[.retryAfter] == "4")
        routing.clock.advance(by: .milliseconds(1_500))
        let second = routing.chat(stream: false)
        #expect(second.status == 429 && second.fields[.retryAfter] == "3")
        #expect(second.client.text.contains("rate_limit_error"))
        #expect(routing.upstreams.map(\.calls.count) == [1, 1])
        routing.clock.advance(by: .milliseconds(2_500))
        routing.chat().leave()
        #expect(routing.upstreams.map(\.calls.count) == [1, 2])
    }

    @Test func responseOfTheLastResortEndsItsRest() async {
        let refusal = Self.refusal(429)
        let gateway = gateway([[refusal, .answer("A")], [refusal, .failing(.connect)]])
        #expect(await ask(gateway, "x").status == 429)
        #expect(await ask(gateway, "x").status == 200)
        // The first target is preferred again.
        #expect(await ask(gateway, "x").headerFields[.xHeadgateAttempts] == nil)
        #expect(gateway.sent == [3, 1])
    }

    @Test func occasionalLimitsOfTwelveModelsLeaveNoRequestWithoutATarget() async {
        func plans(_ every: Int) -> [Plan] {
            (1...400).map { $0 % every == 0 ? Self.refusal(429) : .answer("A") }
        }
        let gateway = gateway([plans(11), plans(13), plans(17)])
        var statuses: [Int: Int] = [:]
        for request in 0..<240 { statuses[await ask(gateway, "model-\(request * 7 % 12)").status, default: 0] += 1 }
        // A request that is refused twice, or without a retry left, receives 429.
        #expect(Set(statuses.keys).isSubset(of: [200, 429]))
        #expect(statuses[200, default: 0] > 200, "\(statuses)")
    }
}
