import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// One cached response in both formats, for clients that request usage and clients that do not.
@Suite struct CacheFormsTests {
    typealias Plan = PlannedTransport.Plan

    static let usage = #"data: {"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"# + "\n\n"
    private static let asked = #","stream_options":{"include_usage":true}"#
    private static let whole =
        #"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"AB"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#

    private func routing() -> ManualRouting {
        ManualRouting(targets: 1) { model, _ in model.cache = CacheConfiguration() }
    }

    private func answerStream(_ call: ManualTransport.Call) {
        call.respond()
        call.body.send(Plan.role + Plan.content("A") + Plan.content("B") + Plan.finish + Self.usage + Plan.done)
        call.body.finish()
    }

    private func answerWhole(_ call: ManualTransport.Call) {
        call.respond(type: "application/json")
        call.body.send(Self.whole)
        call.body.finish()
    }

    @Test func cachedStreamServesAWholeResponse() {
        let routing = routing()
        _ = routing.chat()
        answerStream(routing.upstreams[0].calls[0])
        let second = routing.chat(stream: false)
        #expect(second.fields[.xHeadgateCache] == "hit" && second.fields[.contentType] == "application/json")
        #expect(second.fields[.cacheControl] == "no-store" && second.fields[.xHeadgateUpstream] == "a")
        #expect(second.client.text.contains(#""message":{"role":"assistant","content":"AB"}"#))
        #expect(second.client.text.contains(#""usage":{"prompt_tokens":1"#))
        #expect(routing.chat(stream: false).client.text == second.client.text)
        #expect(routing.upstreams[0].calls.count == 1)
    }

    @Test func cachedWholeResponseServesAStream() {
        let routing = routing()
        _ = routing.chat(stream: false)
        answerWhole(routing.upstreams[0].calls[0])
        let second = routing.chat()
        let third = routing.chat(extra: Self.asked)
        #expect(second.fields[.contentType] == "text/event-stream; charset=utf-8")
        #expect(second.fields[.xHeadgateCache] == "hit" && second.client.text.hasSuffix("data: [DONE]\n\n"))
        #expect(second.client.text.contains(#""content":"AB""#) && !second.client.text.contains("prompt_tokens"))
        #expect(third.client.text.contains("prompt_tokens") && third.fields[.xHeadgateCache] == "hit")
        #expect(routing.upstreams[0].calls.count == 1)
    }

    @Test func usageIsSentOnlyOnRequest() {
        let routing = routing()
        let (without, with) = (routing.chat(), routing.chat(extra: Self.asked))
        #expect(routing.upstreams[0].calls.count == 1)
        answerStream(routing.upstreams[0].calls[0])
        let plain = Plan.role + Plan.content("A") + Plan.content("B") + Plan.finish + Plan.done
        #expect(without.client.text == plain)
        #expect(with.client.text == plain.replacing(Plan.done, with: Self.usage + Plan.done))
        #expect(routing.chat().client.text == plain && routing.chat(extra: Self.asked).client.text == with.client.text)
    }

    @Test func inconvertibleEntryIsFetchedAgain() {
        let routing = routing()
        _ = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        // This stream reports no usage, and a whole response requires it.
        call.body.send(Plan.role + Plan.content("A") + Plan.finish + Plan.done)
        call.body.finish()
        let second = routing.chat(stream: false)
        #expect(second.response == nil && routing.upstreams[0].calls.count == 2)
        answerWhole(routing.upstreams[0].calls[1])
        #expect(second.fields[.xHeadgateCache] == "miss")
    }

    @Test func freshResponseCanBeDemandedInTheOtherForm() {
        let routing = routing()
        _ = routing.chat()
        answerStream(routing.upstreams[0].calls[0])
        _ = routing.chat(stream: false, fields: [.cacheControl: "no-cache"])
        #expect(routing.upstreams[0].calls.count == 2)
    }

    @Test(
        arguments: [
            { (upstream: inout UpstreamConfiguration) in
                upstream.baseURL = try? UpstreamURL(parsing: "https://other.example/v1")
            },
            { $0.headers = [HeaderConfiguration(name: "OpenAI-Beta", value: "x")] },
            { $0.removedHeaders = ["app-os"] }, { $0.apiVersion = "2024-10-21" }, { $0.speaks = [.responses] },
            { $0.command = CommandConfiguration(arguments: ["serve", "other.gguf"]) },
            { $0.command = CommandConfiguration(arguments: [], environment: [.init(name: "A", value: Secret("b"))]) },
            { $0.proxy = ProxyConfiguration(host: "proxy.lan", port: 3128) },
        ] as [@Sendable (inout UpstreamConfiguration) -> Void])
    func reloadThatChangesTheUpstreamMisses(_ change: @Sendable (inout UpstreamConfiguration) -> Void) {
        #expect(isMiss { _, upstream in change(&upstream) })
    }

    @Test func reloadThatChangesParametersOrTheModelMisses() {
        let parameter = ParameterRules.Parameter(name: "top_p", json: Array("0.5".utf8))
        let rules = [
            ParameterRules(defaults: [parameter]), ParameterRules(overrides: [parameter]),
            ParameterRules(strip: ["top_p"]),
        ]
        for rules in rules { #expect(isMiss { model, _ in model.targets[0].parameters = rules }) }
        #expect(isMiss { model, _ in model.targets[0].model = "inner" })
    }

    @Test func reloadThatChangesNothingHits() { #expect(!isMiss { _, _ in }) }

    @Test func shorterTimeToLiveAppliesToStoredEntries() {
        #expect(!isMiss(after: 5) { model, _ in model.cache?.ttl = .seconds(6) })
        #expect(isMiss(after: 5) { model, _ in model.cache?.ttl = .seconds(5) })
    }

    /// Returns whether a response stored before a reload is a miss after it.
    private func isMiss(
        after seconds: Int64 = 0, _ change: (inout ModelConfiguration, inout UpstreamConfiguration) -> Void
    ) -> Bool {
        let state = GatewayState()
        let before = ManualRouting(targets: 1, state: state) { model, upstream in
            model.cache = CacheConfiguration()
            upstream.baseURL = try? UpstreamURL(parsing: "https://one.example/v1")
        }
        _ = before.chat()
        answerStream(before.upstreams[0].calls[0])
        let after = ManualRouting(targets: 1, state: state, secondsLater: seconds) { model, upstream in
            model.cache = CacheConfiguration()
            upstream.baseURL = try? UpstreamURL(parsing: "https://one.example/v1")
            change(&model, &upstream)
        }
        _ = after.chat()
        return after.upstreams[0].calls.count == 1
    }
}
