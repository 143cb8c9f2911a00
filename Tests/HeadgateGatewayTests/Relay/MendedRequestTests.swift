import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests that an upstream refuses in a known way.
@Suite struct MendedRequestTests {
    typealias Plan = PlannedTransport.Plan

    private static func refusal(_ member: String, status: Int = 400) -> Plan {
        .json(
            #"{"error":{"message":"Unsupported parameter: '\#(member)' is not supported with this model."}}"#,
            status: status)
    }

    private func gateway(
        _ plans: [Plan], state: GatewayState = GatewayState(), change: (inout UpstreamConfiguration) -> Void = { _ in }
    ) -> RoutedGateway {
        RoutedGateway([plans], state: state) { _, upstreams in change(&upstreams[0]) }
    }

    /// Returns whether each body sent to the first upstream has a member.
    private func has(_ member: String, _ gateway: RoutedGateway) -> [Bool] {
        gateway.transports[0].requests.map { $0.body.contains("\"\(member)\"") }
    }

    private func lines(_ gateway: RoutedGateway) -> [String] { gateway.running.log.all }

    // MARK: First and later requests

    @Test(arguments: [0, 300_000]) func refusedMemberIsRemovedAndThenOmittedFromTheStart(_ size: Int) async {
        let gateway = gateway([Self.refusal("temperature"), .answer("A")])
        let extra = #","temperature":0.5,"x":"\#(String(repeating: "x", count: size))""#
        for _ in 0..<2 {
            let answer = await gateway.chat(stream: false, extra: extra)
            #expect(answer.status == 200 && answer.text.contains("\"A\""))
            #expect(answer.headerFields[.xHeadgateDropped] == "temperature")
            #expect(answer.headerFields[.xHeadgateAttempts] == nil)
        }
        #expect(has("temperature", gateway) == [true, false, false])
        #expect(lines(gateway).map { $0.contains(#""repairs":"temperature""#) } == [true, false])
    }

    @Test func streamIsRetriedBeforeItsContent() async {
        let gateway = gateway([Self.refusal("stream_options"), .stream("A")])
        for _ in 0..<2 {
            let answer = await gateway.chat()
            #expect(answer.status == 200 && answer.text.contains("\"A\"") && answer.text.hasSuffix(Plan.done))
            // The client did not request it.
            #expect(answer.headerFields[.xHeadgateDropped] == nil)
        }
        #expect(has("stream_options", gateway) == [true, false, false])
    }

    @Test func severalRefusalsAreRepairedInSequence() async {
        let gateway = gateway([Self.refusal("temperature"), Self.refusal("max_tokens"), .answer("A")])
        for _ in 0..<2 {
            #expect(await gateway.chat(stream: false, extra: #","temperature":1,"max_tokens":9"#).status == 200)
        }
        #expect(has("max_completion_tokens", gateway) == [false, false, true, true])
        #expect(has("temperature", gateway) == [true, false, false, false])
        #expect(lines(gateway)[0].contains(#""repairs":"temperature,max_tokens""#))
    }

    @Test func repeatedRefusalIsReturnedAndNotRemembered() async {
        let gateway = gateway([Self.refusal("temperature")])
        for _ in 0..<2 { #expect(await gateway.chat(stream: false, extra: #","temperature":1"#).status == 400) }
        #expect(has("temperature", gateway) == [true, false, true, false])
    }

    @Test func refusalOfACombinationIsRepairedAndNotRemembered() async {
        let words = #"{"error":{"message":"'parallel_tool_calls' is only allowed when 'tools' are specified."}}"#
        let gateway = gateway([.json(words, status: 400), .answer("A")])
        for _ in 0..<2 {
            #expect(await gateway.chat(stream: false, extra: #","parallel_tool_calls":false"#).status == 200)
        }
        #expect(has("parallel_tool_calls", gateway) == [true, false, true])
    }

    @Test func otherModelsKeepTheMember() async {
        let gateway = RoutedGateway([[Self.refusal("temperature"), .answer("A")]]) { model, _ in model.name = "*" }
        for model in ["x", "y"] {
            let answer = await gateway.running.chat(model: model, stream: false, extra: #","temperature":1"#)
            #expect(answer.status == 200)
        }
        #expect(has("temperature", gateway) == [true, false, true])
    }

    // MARK: Repairs and retries

    @Test func refusalCostsNoBreakerBudgetOrAttempt() async {
        let state = GatewayState()
        while state.targets.takeRetry(percent: 10, at: 0) {}
        let gateway = RoutedGateway(
            [[Self.refusal("temperature", status: 500), .answer("A")], [.answer("B")]], state: state
        ) { model, _ in
            model.retry.attempts = 1
            model.targets[0].breaker = BreakerConfiguration(failures: 1, cooldown: .seconds(3600))
        }
        for _ in 0..<2 {
            let answer = await gateway.chat(stream: false, extra: #","temperature":1"#)
            #expect(answer.status == 200 && answer.headerFields[.xHeadgateUpstream] == "a")
        }
        #expect(gateway.sent == [3, 0])
    }

    @Test func failureAfterARepairGoesToTheNextTarget() async {
        let gateway = RoutedGateway([
            [Self.refusal("temperature"), .failing(.closedBeforeResponse), .answer("A")], [.answer("B")],
        ])
        let extra = #","temperature":1"#
        #expect(await gateway.chat(stream: false, extra: extra).headerFields[.xHeadgateUpstream] == "b")
        #expect(gateway.transports[1].requests[0].body.contains("temperature"))
        // The upstream did not respond to the repaired request, so the repair was not learned.
        #expect(await gateway.chat(stream: false, extra: extra).headerFields[.xHeadgateUpstream] == "a")
        #expect(has("temperature", gateway) == [true, false, true])
    }

    @Test func translatedRequestIsRepairedInTheSentFormat() async {
        let gateway = gateway([Self.refusal("temperature"), .answer("A")])
        for _ in 0..<2 {
            let answer = await gateway.running.ask(
                .post, "/v1/messages",
                body: #"{"model":"m","max_tokens":9,"temperature":1,"messages":[{"role":"user","content":"hi"}]}"#)
            #expect(answer.status == 200 && answer.text.contains(#""type":"message""#))
            #expect(answer.headerFields[.xHeadgateDropped]?.contains("temperature") == true)
        }
        #expect(has("temperature", gateway) == [true, false, false])
    }

    // MARK: Configuration

    @Test func nothingIsRepairedIfRepairsAreOff() async {
        let gateway = gateway([Self.refusal("temperature")]) { $0.repairs = false }
        #expect(await gateway.chat(stream: false, extra: #","temperature":1"#).status == 400)
        #expect(gateway.sent == [1])
    }

    @Test func upstreamNeverAskedForUsageGetsNoStreamOptions() async {
        let gateway = gateway([.stream("A")]) {
            $0.usageInStreams = .never
            $0.repairs = false
        }
        #expect(await gateway.chat().headerFields[.xHeadgateDropped] == nil)
        let asked = await gateway.chat(extra: #","stream_options":{"include_usage":true}"#)
        #expect(asked.headerFields[.xHeadgateDropped] == "stream_options")
        #expect(has("stream_options", gateway) == [false, false])
    }

    @Test func upstreamAlwaysAskedForUsageCanRefuseIt() async {
        let gateway = gateway([Self.refusal("stream_options"), Self.refusal("temperature"), .stream("A")]) {
            $0.usageInStreams = .ask
        }
        #expect(await gateway.chat().status == 400)
        #expect(await gateway.chat(extra: #","temperature":1"#).status == 200)
        #expect(has("stream_options", gateway) == [true, true, true])
    }

    // MARK: Token counts

    private static let count = #"{"model":"m","messages":[{"role":"user","content":"one two three"}]}"#

    @Test(arguments: [1, 2]) func upstreamWithoutTokenCountingIsAskedOnce(_ targets: Int) async {
        let plans = [Plan.json(#"{"detail":"Not Found"}"#, status: 404)]
        let gateway = RoutedGateway(Array(repeating: plans, count: targets)) { _, upstreams in
            upstreams = upstreams.map { UpstreamConfiguration(name: $0.name, kind: .anthropic) }
        }
        var counts: [String] = []
        for _ in 0..<2 {
            let answer = await gateway.running.ask(.post, "/v1/messages/count_tokens", body: Self.count)
            #expect(answer.status == 200 && answer.headerFields[.xHeadgateEstimated] == "true")
            counts.append(answer.text)
        }
        #expect(counts[0] == counts[1] && counts[0].hasPrefix(#"{"input_tokens":"#))
        #expect(gateway.sent.reduce(0, +) == 1)
        #expect(lines(gateway)[0].contains(#""repairs":"count_tokens""#))
        let other = await gateway.running.ask(
            .post, "/v1/messages", body: #"{"model":"m","max_tokens":1,"messages":[]}"#)
        #expect(other.status == 404 && gateway.sent[0] == 2)
    }

    @Test func repairsAreCounted() throws {
        let routing = ManualRouting(targets: 1)
        let exchange = routing.chat(stream: false, extra: #","temperature":1"#)
        let upstream = routing.upstreams[0]
        upstream.calls[0].respond(400, type: "application/json")
        upstream.calls[0].body.send(#"{"error":{"message":"temperature is not supported"}}"#)
        upstream.calls[0].body.finish()
        #expect(upstream.calls.count == 2)
        exchange.leave()
        let counted = try #require(routing.snapshot.relay.models.upstreams.first).repairs.counted
        #expect(counted.map(\.repair) == [.temperature] && counted.map(\.number) == [1])
    }

    @Test func disconnectWhileReadingARefusalEndsTheRequest() {
        let routing = ManualRouting(targets: 1)
        let exchange = routing.chat(stream: false, extra: #","temperature":1"#)
        let upstream = routing.upstreams[0]
        upstream.calls[0].respond(400, type: "application/json")
        upstream.calls[0].body.send(#"{"error":{"message":"temperature is not supported"}}"#)
        exchange.leave()
        #expect(upstream.calls.count == 1)
    }
}
