import HTTPTypes
import HeadgateConfiguration
import HeadgateFaults
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Faults over time; the test controls both ends and the clock.
@Suite struct FaultInjectionTests {
    typealias Plan = PlannedTransport.Plan

    private static let timeouts = UpstreamTimeouts(firstByte: .seconds(60), silence: .seconds(30))
    private static let whole = Plan.role + Plan.content("A") + Plan.content("B") + Plan.finish + Plan.done

    private func routing(
        _ text: String, model: String? = nil, key: String? = nil, upstream: String? = nil, percent: Int = 100,
        seed: Int? = nil, targets: Int = 1
    ) throws -> ManualRouting {
        let rule = FaultRule(
            model: model, key: key, upstream: upstream, percent: percent, seed: seed,
            fault: try Fault(parsing: text))
        return ManualRouting(targets: targets, timeouts: Self.timeouts, faults: [rule])
    }

    /// Sends the whole stream at once.
    private func answer(_ routing: ManualRouting) {
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Self.whole)
        call.body.finish()
    }

    @Test(arguments: ["delay_head=5s", "delay_head=5s; towards=client"])
    func headArrivesLater(_ fault: String) throws {
        let routing = try routing(fault)
        let exchange = routing.chat()
        routing.clock.advance(by: .milliseconds(4_999))
        #expect(routing.upstreams[0].calls.isEmpty)
        routing.clock.advance(by: .milliseconds(1))
        answer(routing)
        #expect(exchange.client.text == Self.whole)
    }

    @Test func lateHeadActsAsATimeout() throws {
        let routing = try routing("delay_head=2m")
        let exchange = routing.chat()
        routing.clock.advance(by: .seconds(60))
        #expect(exchange.status == 504 && exchange.client.text.contains("upstream_timeout"))
        #expect(routing.upstreams[0].calls.isEmpty)
    }

    @Test func clientCanLeaveDuringTheDelay() throws {
        let routing = try routing("delay_head=5s")
        let exchange = routing.chat()
        exchange.leave()
        routing.clock.advance(by: .seconds(5))
        #expect(routing.upstreams[0].calls.isEmpty)
    }

    @Test func contentArrivesLater() throws {
        let routing = try routing("delay_content=5s")
        let exchange = routing.chat()
        answer(routing)
        routing.clock.advance(by: .milliseconds(4_999))
        #expect(exchange.client.text.isEmpty)
        routing.clock.advance(by: .milliseconds(1))
        #expect(exchange.client.text == Self.whole)
    }

    @Test(arguments: ["delay_content=30s", "stall_after_events=0"])
    func missingContentActsAsAStall(_ fault: String) throws {
        let routing = try routing(fault)
        let exchange = routing.chat()
        answer(routing)
        routing.clock.advance(by: .milliseconds(29_999))
        #expect(exchange.response == nil)
        routing.clock.advance(by: .milliseconds(1))
        #expect(exchange.status == 504)
    }

    @Test func stallTowardsTheClientLastsUntilItLeaves() throws {
        let routing = try routing("stall_after_events=1; towards=client")
        let exchange = routing.chat()
        answer(routing)
        routing.clock.advance(by: .seconds(600))
        #expect(exchange.client.text == Plan.role && exchange.client.ends.isEmpty)
    }

    @Test func dripSendsAFewBytesAtOnce() throws {
        let routing = try routing("drip=100; towards=client")
        let exchange = routing.chat()
        answer(routing)
        #expect(exchange.client.text.utf8.count == 5)
        routing.clock.advance(by: .seconds(1))
        #expect((95...110).contains(exchange.client.text.utf8.count))
        routing.clock.advance(by: .seconds(60))
        #expect(exchange.client.text == Self.whole && exchange.client.pieces.allSatisfy { $0.utf8.count <= 5 })
    }

    @Test func piecesHaveTheConfiguredSize() throws {
        let routing = try routing("split=1; towards=client")
        let exchange = routing.chat()
        answer(routing)
        #expect(exchange.client.pieces.count == Self.whole.utf8.count && exchange.client.text == Self.whole)
    }

    /// A document arrives in one chunk.
    @Test func piecesOfALongBodyTakeNoLongerThanItsLength() throws {
        let routing = try routing("split=1; towards=client")
        let exchange = routing.chat(stream: false)
        let call = routing.upstreams[0].calls[0]
        call.respond(type: "application/json")
        let text = String(repeating: "a", count: 1 << 20)
        call.body.send(#"{"id":"c","choices":[{"index":0,"message":{"content":"\#(text)"}}]}"#)
        let began = ContinuousClock.now
        call.body.finish()
        // This would take much longer if each piece moved the remaining bytes. The bound allows for a busy machine.
        #expect(exchange.client.text.contains(text) && ContinuousClock.now - began < .seconds(30))
    }

    @Test(arguments: ["split=1", "split=7"])
    func piecesOfTheUpstreamDoNotMatter(_ fault: String) throws {
        let routing = try routing(fault)
        let exchange = routing.chat()
        answer(routing)
        #expect(exchange.client.text == Self.whole)
    }

    @Test func faultBeforeContentFallsBack() throws {
        let routing = try routing("reset_after_events=1", upstream: "a", targets: 2)
        let exchange = routing.chat()
        answer(routing)
        routing.upstreams[1].calls[0].respond()
        routing.upstreams[1].calls[0].body.send(Self.whole)
        routing.upstreams[1].calls[0].body.finish()
        #expect(exchange.client.text == Self.whole && exchange.fields[.xHeadgateUpstream] == "b")
    }

    @Test func outcomeAndLogNameTheInjectedFault() throws {
        let routing = try routing("cut_after_events=2")
        let exchange = routing.chat()
        answer(routing)
        exchange.complete()
        #expect(exchange.client.text.hasPrefix(Plan.role + Plan.content("A") + #"data: {"error""#))
        #expect(routing.log.all.joined().contains(#""fault":"cut_after_events=2""#))
        #expect(routing.log.all.joined().contains(#""error":"upstream_incomplete""#))
    }

    @Test(arguments: [("n", nil, nil), (nil, "other", nil), (nil, nil, "b")] as [(String?, String?, String?)])
    func otherExchangesAreUnchanged(_ rule: (model: String?, key: String?, upstream: String?)) throws {
        let routing = try routing("status=500", model: rule.model, key: rule.key, upstream: rule.upstream)
        let exchange = routing.chat()
        answer(routing)
        exchange.complete()
        #expect(exchange.client.text == Self.whole && !routing.log.all.joined().contains("fault"))
    }

    @Test func percentSelectsThatShareBySeed() {
        let decisions = { (seed: Int?) in
            let sequence = FaultSequence(percent: 20, seed: seed)
            return (0..<10_000).map { _ in sequence.next() }
        }
        let first = decisions(7)
        #expect((1_800...2_200).contains(first.count { $0 }))
        #expect(decisions(7) == first && decisions(8) != first && decisions(nil) != decisions(nil))
        #expect(decisions(-1) == decisions(-1))
    }
}
