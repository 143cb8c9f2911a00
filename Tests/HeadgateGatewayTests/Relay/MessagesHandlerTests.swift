import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct MessagesHandlerTests {
    private typealias Plan = PlannedTransport.Plan

    private let stream = Typed.events(Typed.message)
    private let whole =
        #"{ "id":"msg_1","type":"message","model":"inner","content":[{"type":"text","text":"inner"}],"stop_reason":"max_tokens","usage":{"input_tokens":3,"output_tokens":4},"x":1.0 }"#

    private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

    // MARK: Upstream requests

    @Test func upstreamRequestIsRebuiltWithItsOwnKey() async throws {
        let gateway = DialectGateway()
        var fields: HTTPFields = [.cookie: "c=1", .xAPIKey: InProcessGateway.clientKey, .userAgent: "Anthropic/Python"]
        fields[try name("X-Stainless-Lang")] = "python"
        fields[try name("anthropic-dangerous-direct-browser-access")] = "true"
        _ = await gateway.message(headerFields: fields)
        let sent = try #require(gateway.anthropic.requests.first)
        let expected: [String: String] = [
            "content-type": "application/json", "accept": "application/json", "accept-encoding": "identity",
            "user-agent": "headgate", "client-id": "headgate", "app-os": "linux",
            "x-api-key": InProcessGateway.upstreamKey, "anthropic-version": "2023-06-01",
        ]
        #expect(Dictionary(sent.head.headerFields.map { ($0.name.canonicalName, $0.value) }) { $1 } == expected)
        #expect(sent.head.headerFields.count == expected.count)
        #expect(sent.head.method == .post && sent.head.path == "/v1/messages")
        #expect(sent.operationID == "createMessage" && sent.authority == "claude.example")
        #expect(gateway.sent.count == 1)
    }

    @Test func versionAndBetaGoUpByteForByte() async throws {
        let gateway = DialectGateway()
        var fields: HTTPFields = [.anthropicVersion: "2026-10-21 odd"]
        fields.append(HTTPField(name: .anthropicBeta, value: "a-2026-01-01,  b"))
        fields.append(HTTPField(name: .anthropicBeta, value: "c;d"))
        for isStream in [false, true] {
            _ = await gateway.message(stream: isStream, headerFields: fields)
            let sent = try #require(gateway.anthropic.requests.last).head.headerFields
            #expect(sent[values: .anthropicVersion] == ["2026-10-21 odd"])
            #expect(sent[values: .anthropicBeta] == ["a-2026-01-01,  b", "c;d"])
        }
        _ = await gateway.response()
        #expect(gateway.openAI.requests.first?.head.headerFields[.anthropicVersion] == nil)
    }

    @Test func bodyIsForwardedWithOnlyItsModelChanged() async {
        let gateway = DialectGateway()
        _ = await gateway.message(#", "temperature":1.0"#, model: "org/claude", stream: true)
        #expect(
            gateway.anthropic.requests.map(\.body) == [
                #"{"model":"inner","stream":true,"max_tokens":9,"messages":[], "temperature":1.0}"#
            ])
        #expect(gateway.anthropic.requests.first?.head.headerFields[.accept] == "text/event-stream")
    }

    @Test func countingGoesToItsOwnPath() async {
        let gateway = DialectGateway(.json(#"{"input_tokens":2095, "x":[]}"#))
        let answer = await gateway.post(
            "/v1/messages/count_tokens?beta=true", #"{"model":"org/claude","messages":[],"stream":true}"#)
        #expect(answer.status == 200 && answer.text == #"{"input_tokens":2095, "x":[]}"#)
        let sent = gateway.anthropic.requests.first
        #expect(sent?.head.path == "/v1/messages/count_tokens")
        #expect(sent?.body == #"{"model":"inner","messages":[],"stream":true}"#)
        #expect(sent?.head.headerFields[.accept] == "application/json")
        #expect(sent?.head.headerFields[.anthropicVersion] == "2023-06-01")
    }

    // MARK: Keys

    @Test func eitherCarrierOfTheKeyIsAcceptedOnEveryRoute() async {
        for route in RelayRoute.all {
            let gateway = DialectGateway(.json("{}", headerFields: [.contentType: "audio/mpeg"]))
            let key = InProcessGateway.clientKey
            for path in ["/v1" + route.path, route.path] {
                #expect(await gateway.post(path, route.body).status == 200)
                #expect(await gateway.post(path, route.body, headerFields: [.xAPIKey: key], key: nil).status == 200)
                #expect(await gateway.post(path, route.body, headerFields: [.xAPIKey: key]).status == 200)
            }
        }
    }

    @Test(arguments: RelayRoute.all) func providersKeyNextToTheGatewaysIsNotForwarded(_ route: RelayRoute) async {
        let gateway = DialectGateway()
        _ = await gateway.post("/v1" + route.path, route.body, headerFields: [.xAPIKey: "sk-of-the-provider"])
        #expect(gateway.sent.count == 1 && !"\(gateway.sent)".contains("sk-of-the-provider"))
    }

    @Test(arguments: RelayRoute.all) func requestWithoutAKeyIsRefused(_ route: RelayRoute) async {
        let gateway = DialectGateway()
        let none = await gateway.post("/v1" + route.path, route.body, key: nil)
        #expect(none.status == 401)
        #expect(none.text.contains(#""type":"authentication_error""#) == route.isAnthropic)
        #expect(none.text.hasPrefix(#"{"type":"error","#) == route.isAnthropic)
        #expect(gateway.sent.isEmpty)
    }

    // MARK: Responses

    @Test func wholeMessagePassesUnderItsPublicModel() async throws {
        let gateway = DialectGateway(.json(whole, headerFields: [.setCookie: "a=b"]))
        let plain = await gateway.message()
        #expect(plain.status == 200 && plain.text == whole)
        let renamed = await gateway.message(model: "org/claude")
        #expect(renamed.text == whole.replacing(#""model":"inner""#, with: #""model":"org/claude""#))
        #expect(
            plain.headerFields.map(\.name.canonicalName).sorted() == [
                "cache-control", "content-type", "request-id", "x-headgate-upstream", "x-request-id",
            ])
        let line = try gateway.running.log.members()
        #expect(line["prompt_tokens"] == "3" && line["completion_tokens"] == "4")
        #expect(line["finish_reason"] == "max_tokens" && line["outcome"] == "finished")
    }

    @Test func streamPassesUnderItsPublicModel() async throws {
        let gateway = DialectGateway(Plan(chunks: [": hi\n\n", stream.replacing("\n", with: "\r\n")]))
        let answer = await gateway.message(model: "org/claude", stream: true)
        #expect(answer.status == 200 && answer.bodyEnds == ["complete"])
        #expect(answer.text == stream.replacing(#""model":"inner""#, with: #""model":"org/claude""#))
        #expect(answer.headerFields[.contentType] == "text/event-stream; charset=utf-8")
        #expect(answer.headerFields[.requestID] == answer.headerFields[.xRequestID])
        let line = try gateway.running.log.members()
        #expect(line["operation"] == "createMessage" && line["outcome"] == "finished" && line["events"] == "8")
        #expect(line["prompt_tokens"] == "9" && line["completion_tokens"] == "12")
        #expect(line["finish_reason"] == "end_turn" && line["stream"] == "true")
    }

    @Test func truncatedStreamEndsWithOneErrorEvent() async throws {
        let before = Typed.events(Typed.start, Typed.text("a"))
        for end: Result<Void, TransportError> in [.success(()), .failure(TransportError(.truncatedBody))] {
            let gateway = DialectGateway(Plan(chunks: [before], end: end))
            let answer = await gateway.message(stream: true)
            let id = try #require(answer.headerFields[.requestID])
            #expect(
                answer.text == before + "event: error\ndata: "
                    + #"{"type":"error","error":{"type":"api_error","message":"The upstream broke off in the middle of its answer: the text so far is not complete."},"request_id":"\#(id)"}"#
                    + "\n\n")
            #expect(answer.bodyEnds == ["completeThenClose"])
            let line = try gateway.running.log.members()
            #expect(line["outcome"] == "upstream_failed" && line["error"] == "upstream_incomplete")
        }
    }

    @Test func errorInsideAStreamKeepsTheUpstreamsMessage() async throws {
        let before = Typed.events(Typed.start, Typed.text("a"))
        for (type, expected) in [
            ("overloaded_error", "overloaded_error"), ("invalid_request_error", "invalid_request_error"),
            ("odd", "api_error"),
        ] {
            let event =
                #"{"type":"error","error":{"type":"\#(type)","message":"Overloaded \#(InProcessGateway.upstreamKey)"},"request_id":"req_up"}"#
            let gateway = DialectGateway(Plan(chunks: [before, "event: error\ndata: \(event)\n\n"], end: nil))
            let answer = await gateway.message(stream: true)
            let id = try #require(answer.headerFields[.requestID])
            #expect(
                answer.text == before + "event: error\ndata: "
                    + #"{"type":"error","error":{"type":"\#(expected)","message":"Overloaded [redacted]"},"request_id":"\#(id)"}"#
                    + "\n\n")
            #expect(gateway.anthropic.isCancelled)
        }
    }

    @Test(arguments: [
        (400, "invalid_request_error"), (404, "not_found_error"), (409, "conflict_error"), (413, "request_too_large"),
        (422, "invalid_request_error"), (429, "rate_limit_error"), (500, "api_error"), (503, "overloaded_error"),
        (529, "overloaded_error"), (402, "billing_error"),
    ])
    func errorKeepsItsStatusInAnthropicsFormat(_ status: Int, _ type: String) async throws {
        for body in [#"{"type":"error","error":{"message":"too \#(InProcessGateway.upstreamKey)"}}"#, "<html>"] {
            for isStream in [false, true] {
                let gateway = DialectGateway(.json(body, status: status, headerFields: [.retryAfter: "7"]))
                let answer = await gateway.message(stream: isStream)
                let id = try #require(answer.headerFields[.requestID])
                #expect(answer.status == status && answer.headerFields[.retryAfter] == "7")
                #expect(
                    answer.text.hasPrefix(#"{"type":"error","error":{"type":"\#(type)","message":""#), "\(answer.text)")
                #expect(answer.text.hasSuffix(#""},"request_id":"\#(id)"}"#))
                #expect(!answer.text.contains(InProcessGateway.upstreamKey))
                #expect(answer.headerFields[.xRequestID] == id)
            }
        }
    }

    @Test func refusedGatewayKeyIsABadGateway() async {
        let gateway = DialectGateway(
            .json(#"{"type":"error","error":{"type":"authentication_error","message":"bad"}}"#, status: 401))
        let answer = await gateway.message()
        #expect(answer.status == 502 && answer.text.contains(#""type":"api_error""#))
        #expect(answer.text.contains("'claude'") && answer.headerFields[.xShouldRetry] == "false")
    }

    @Test(arguments: [
        #"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#, #"{"error":"busy"}"#,
        #"{"type":"error","message":"busy"}"#, #"{"type":"error","error":{"message":["busy"]},"id":"x"}"#,
    ])
    func errorWithStatus200IsAnError(_ body: String) async {
        for isStream in [false, true] where !isStream || body.contains(#""error":"#) {
            let gateway = DialectGateway(.json(body))
            let answer = await gateway.message(stream: isStream)
            #expect(answer.status == 502 && answer.text.contains(#""message":"busy""#), "\(answer.text)")
            #expect(answer.text.hasPrefix(#"{"type":"error","error":{"type":"#))
        }
    }

    @Test func everyErrorOfTheRouteHasItsForm() async throws {
        let gateway = DialectGateway()
        let answers = [
            await gateway.message(model: "nothing"), await gateway.running.ask(.get, "/v1/messages"),
            await gateway.running.ask(.put, "/messages/count_tokens"),
            await gateway.running.ask(.post, "/v1/messages/batches"),
            await gateway.running.ask(.get, "/v1/models/nothing", headerFields: [.anthropicVersion: "x"]),
            await gateway.running.ask(.get, "/v1/models", key: "wrong", headerFields: [.anthropicVersion: "x"]),
        ]
        #expect(answers.map(\.status) == [404, 405, 405, 404, 404, 401])
        for answer in answers {
            let id = try #require(answer.headerFields[.requestID])
            #expect(answer.headerFields[.xRequestID] == id && answer.text.hasSuffix(#","request_id":"\#(id)"}"#))
            #expect(answer.text.hasPrefix(#"{"type":"error","error":{"type":""#))
            #expect(answer.headerFields[.contentType] == "application/json")
        }
        let mine = await gateway.running.ask(.get, "/v1/messages", headerFields: [.xRequestID: "mine-1"])
        #expect(mine.headerFields[.requestID] == "mine-1" && mine.text.contains(#""request_id":"mine-1""#))
    }

    @Test func otherRoutesHaveNoRequestIDOfAnthropics() async {
        let gateway = DialectGateway()
        for answer in [
            await gateway.response(), await gateway.running.ask(.get, "/v1/models"),
            await gateway.running.ask(.get, "/v1/messagesx"),
            await gateway.running.ask(.get, "/livez", headerFields: [.anthropicVersion: "x"]),
        ] {
            #expect(answer.headerFields[.requestID] == nil && answer.headerFields[.xRequestID] != nil)
        }
    }
}
