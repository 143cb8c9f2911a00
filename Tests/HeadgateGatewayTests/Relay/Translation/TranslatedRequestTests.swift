import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests for models whose upstream has a different format from the client's.
@Suite struct TranslatedRequestTests {
    private let message =
        #"{"id":"msg_1","type":"message","role":"assistant","model":"inner","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}}"#

    @Test func chatIsTranslatedToMessagesAndBack() async throws {
        let gateway = DialectGateway(anthropic: .json(message))
        let response = await gateway.post(
            "/v1/chat/completions",
            #"{"model":"org/claude","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"}]}"#
        )
        let sent = try #require(gateway.anthropic.requests.first)
        #expect(sent.head.path == "/v1/messages" && sent.operationID == "createMessage")
        #expect(sent.head.headerFields[.anthropicVersion] == "2023-06-01")
        #expect(sent.head.headerFields[.xAPIKey] == InProcessGateway.upstreamKey)
        #expect(sent.body.contains(#""model":"inner""#) && sent.body.contains(#""max_tokens":8192"#))
        #expect(sent.body.contains("Be brief.") && !sent.body.contains(#""role":"system""#))
        #expect(response.status == 200 && response.text.contains(#""object":"chat.completion""#))
        #expect(response.text.contains(#""model":"org/claude""#) && response.text.contains(#""content":"Hi""#))
        #expect(response.headerFields[.xHeadgateDropped] == nil)
    }

    @Test func messageReachesOpenAIAsAChat() async throws {
        let gateway = DialectGateway(openAI: .answer("Hi"))
        let response = await gateway.post(
            "/v1/messages",
            #"{"model":"plain","max_tokens":5,"messages":[{"role":"user","content":"Hello"}],"top_k":3}"#)
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/chat/completions")
        #expect(sent.body.contains(#""max_tokens":5"#) && !sent.body.contains("top_k"))
        #expect(response.text.contains(#""type":"message""#) && response.text.contains(#""text":"Hi""#))
        #expect(response.headerFields[.xHeadgateDropped] == "top_k")
    }

    @Test func lostPartsOfTheResponseAreNamed() async throws {
        let chat = DialectGateway(
            openAI: .json(
                #"{"choices":[{"message":{"content":"Hi","audio":{"id":"a"},"annotations":[],"images":null}}]}"#))
        let message = await chat.post(
            "/v1/messages",
            #"{"model":"plain","max_tokens":5,"messages":[{"role":"user","content":"Hello"}],"top_k":3}"#)
        #expect(message.text.contains(#""text":"Hi""#))
        #expect(message.headerFields[.xHeadgateDropped] == "top_k, response.choices[].message.audio")
        let search = #"{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}"#
        let claude = DialectGateway(
            anthropic: .json(
                #"{"id":"1","type":"message","content":[\#(search),\#(search),{"type":"text","text":"Hi"}]}"#))
        let answer = await claude.post(
            "/v1/chat/completions", #"{"model":"claude","messages":[{"role":"user","content":"Hello"}]}"#)
        #expect(answer.text.contains(#""content":"Hi""#))
        #expect(answer.headerFields[.xHeadgateDropped] == "response.content[].web_search_tool_result")
    }

    @Test func untranslatableMemberIsRefusedByTheClientsName() async {
        let gateway = DialectGateway()
        let response = await gateway.post(
            "/v1/chat/completions", #"{"model":"claude","n":2,"messages":[{"role":"user","content":"x"}]}"#)
        #expect(response.status == 400 && response.text.contains(#""param":"n""#))
        #expect(gateway.sent.isEmpty)
    }

    @Test func parameterRulesApplyInTheUpstreamsFormat() async throws {
        let gateway = RoutedGateway([[.json(message)]]) { model, upstreams in
            upstreams[0] = UpstreamConfiguration(name: "a", kind: .anthropic)
            model.targets[0].parameters = ParameterRules(
                defaults: [], overrides: [ParameterRules.Parameter(name: "max_tokens", json: Array("77".utf8))],
                strip: ["system"])
        }
        _ = await gateway.running.ask(
            .post, "/v1/chat/completions",
            body:
                #"{"model":"m","max_tokens":5,"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}]}"#
        )
        let sent = try #require(gateway.transports[0].requests.first).body
        #expect(sent.contains(#""max_tokens":77"#) && !sent.contains("system"))
    }

    // MARK: System messages

    @Test(
        arguments: [
            (nil, #"[{"role":"system","content":"a\n\nb"},{"role":"user","content":"u"}]"#),
            (.joined, #"[{"role":"system","content":"a\n\nb"},{"role":"user","content":"u"}]"#),
            (
                .separate,
                #"[{"role":"system","content":"a"},{"role":"user","content":"u"},{"role":"system","content":"b"}]"#
            ),
        ] as [(SystemMessages?, String)])
    func instructionsOfATranslatedRequestAreOneMessage(_ written: SystemMessages?, _ messages: String) async throws {
        let gateway = RoutedGateway([[.answer("Hi"), .answer("Hi")]]) { _, upstreams in
            upstreams[0].systemMessages = written
            upstreams[0].speaks = [.chat]
        }
        _ = await gateway.running.ask(
            .post, "/v1/responses",
            body: #"{"model":"m","store":false,"instructions":"a","input":[{"role":"user","content":"u"},"#
                + #"{"role":"developer","content":"b"}]}"#)
        _ = await gateway.running.ask(
            .post, "/v1/messages",
            body: #"{"model":"m","max_tokens":5,"system":"a","messages":[{"role":"user","content":"u"},"#
                + #"{"role":"system","content":"b"}]}"#)
        let sent = gateway.transports[0].requests
        #expect(sent.count(where: { $0.body.contains(#""messages":\#(messages)"#) }) == 2)
    }

    @Test func untranslatedRequestIsEditedOnlyByItsUpstreamsRules() async throws {
        for written in [nil, .joined, .separate] as [SystemMessages?] {
            let gateway = RoutedGateway([[.answer("Hi")]]) { _, upstreams in upstreams[0].systemMessages = written }
            let messages = #"{"role":"system","content":"a"}, {"role":"user","content":"u"}"#
            let body = #"{"model":"m","messages":[\#(messages), {"role":"system","content":"b"}]}"#
            _ = await gateway.running.ask(.post, "/v1/chat/completions", body: body)
            let joined =
                #"{"model":"m","messages":[{"role":"system","content":"a\n\nb"},{"role":"user","content":"u"}]}"#
            #expect(gateway.transports[0].requests.first?.body == (written == .joined ? joined : body))
        }
    }

    // MARK: Errors

    @Test(arguments: [
        (529, "overloaded_error", 503, "server_error"), (429, "rate_limit_error", 429, "rate_limit_error"),
        (404, "not_found_error", 404, "invalid_request_error"), (500, "api_error", 500, "server_error"),
        (413, "request_too_large", 413, "invalid_request_error"), (409, "conflict_error", 409, "invalid_request_error"),
    ])
    func errorsOfAnthropicHaveStatusesAndTypesOfOpenAI(status: Int, type: String, seen: Int, seenType: String) async {
        let error = #"{"type":"error","error":{"type":"\#(type)","message":"m"},"request_id":"r"}"#
        let gateway = DialectGateway(
            anthropic: .json(error, status: status, headerFields: [.retryAfter: "7"]))
        let response = await gateway.post(
            "/v1/chat/completions", #"{"model":"claude","messages":[{"role":"user","content":"x"}]}"#)
        #expect(response.status == seen)
        #expect(response.text.contains(#""type":"\#(seenType)""#) && response.text.contains(#""message":"m""#))
        #expect(response.headerFields[.retryAfter] == "7")
    }

    @Test func responseOfAnotherFormatIsRefusedWithAdvice() async {
        let gateway = DialectGateway(.answer("Hi"))
        let response = await gateway.post(
            "/v1/chat/completions", #"{"model":"claude","messages":[{"role":"user","content":"x"}]}"#)
        #expect(response.status == 502 && response.isError(code: "upstream_format"))
        #expect(response.text.contains("speaks:"))
    }

    // MARK: Several targets

    @Test func fallbackCrossesFormats() async {
        let gateway = RoutedGateway([[.json("{}", status: 500)], [.json(message)]]) { _, upstreams in
            upstreams[1] = UpstreamConfiguration(name: "b", kind: .anthropic)
        }
        let response = await gateway.running.ask(
            .post, "/v1/chat/completions", body: #"{"model":"m","messages":[{"role":"user","content":"x"}]}"#)
        #expect(response.status == 200 && response.text.contains(#""content":"Hi""#))
        #expect(gateway.sent == [1, 1])
    }

    @Test func targetThatCannotExpressTheRequestIsSkipped() async {
        let gateway = RoutedGateway([[.json(message)], [.answer("Hi")]]) { _, upstreams in
            upstreams[0] = UpstreamConfiguration(name: "a", kind: .anthropic)
        }
        let response = await gateway.running.ask(
            .post, "/v1/chat/completions", body: #"{"model":"m","n":2,"messages":[{"role":"user","content":"x"}]}"#)
        #expect(response.status == 200 && response.text.contains("Hi"))
        #expect(gateway.sent == [0, 1])
    }

    @Test func outageIsReportedRatherThanAnUnsupportedFeature() async {
        let gateway = RoutedGateway([[.failing(.connect)], [.json(message)]]) { _, upstreams in
            upstreams[1] = UpstreamConfiguration(name: "b", kind: .anthropic)
        }
        let response = await gateway.running.ask(
            .post, "/v1/chat/completions", body: #"{"model":"m","n":2,"messages":[{"role":"user","content":"x"}]}"#)
        #expect(response.status == 502 && response.isError(code: "upstream_connect"))
    }

    // MARK: Tokens

    @Test func estimateDoesNotAffectTargetHealth() async {
        let state = GatewayState()
        let gateway = RoutedGateway([[.answer("a")], [.answer("b")]], state: state)
        let health = state.targets.health(of: TargetName(upstream: "a", model: "m"))
        for _ in 0..<4 { health.noteFailure(at: 1, threshold: 5, cooldown: 1_000_000_000_000) }
        let counted = await gateway.running.ask(
            .post, "/v1/messages/count_tokens", body: #"{"model":"m","messages":[{"role":"user","content":"x"}]}"#)
        #expect(counted.status == 200)
        health.noteFailure(at: 1, threshold: 5, cooldown: 1_000_000_000_000)
        if case .open = health.state(at: 2) {} else { Issue.record("four failures and one more open the breaker") }
    }

    @Test func tokensAreEstimatedIfTheUpstreamCannotCount() async throws {
        let gateway = DialectGateway(anthropic: .json(#"{"input_tokens":5}"#))
        let body = #","messages":[{"role":"user","content":"How many tokens are these words?"}]}"#
        let estimated = await gateway.post("/v1/messages/count_tokens", #"{"model":"plain""# + body)
        #expect(estimated.headerFields[.xHeadgateEstimated] == "true" && gateway.sent.isEmpty)
        #expect(estimated.text == #"{"input_tokens":10}"#)
        let asked = await gateway.post("/v1/messages/count_tokens", #"{"model":"claude""# + body)
        #expect(asked.headerFields[.xHeadgateEstimated] == nil && asked.text == #"{"input_tokens":5}"#)
    }
}
