import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ResponsesHandlerTests {
    private typealias Plan = PlannedTransport.Plan

    private let stream = Typed.events(Typed.response)

    private func failed(_ number: Int, id: String, model: String, code: String, message: String) -> String {
        "event: response.failed\ndata: "
            + #"{"type":"response.failed","sequence_number":\#(number),"response":{"id":"\#(id)","object":"response","created_at":0,"status":"failed","model":"\#(model)","error":{"code":"\#(code)","message":"\#(message)"},"incomplete_details":null,"instructions":null,"metadata":{},"output":[],"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null}}"#
            + "\n\n"
    }

    @Test func requestIsForwardedWithOnlyItsModelChanged() async throws {
        let gateway = DialectGateway()
        _ = await gateway.response(model: "org/renamed", stream: true)
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/responses" && sent.operationID == "createResponse")
        #expect(sent.body == #"{"model":"inner","stream":true,"input":"hi"}"#)
        #expect(sent.head.headerFields[.accept] == "text/event-stream")
        #expect(sent.head.headerFields[.authorization] == "Bearer \(InProcessGateway.upstreamKey)")
    }

    @Test func streamPassesUnderItsPublicModelAndIsMarkedAsDone() async throws {
        let gateway = DialectGateway(Plan(chunks: [stream], end: nil))
        let answer = await gateway.response(model: "org/renamed", stream: true)
        #expect(
            answer.text == stream.replacing(#""model":"inner""#, with: #""model":"org/renamed""#) + "data: [DONE]\n\n")
        #expect(answer.bodyEnds == ["complete"] && answer.headerFields[.requestID] == nil)
        let line = try gateway.running.log.members()
        #expect(line["outcome"] == "finished" && line["finish_reason"] == "completed" && line["events"] == "5")
        #expect(line["prompt_tokens"] == "9" && line["completion_tokens"] == "12" && line["error"] == nil)
    }

    @Test func truncatedStreamEndsWithOneFailedResponse() async throws {
        let message = "The upstream broke off in the middle of its answer: the text so far is not complete."
        let before = Typed.events(Array(Typed.response.prefix(3)))
        for (model, inner) in [("plain", "inner"), ("org/renamed", "org/renamed")] {
            let gateway = DialectGateway(Plan(chunks: [before], end: .failure(TransportError(.truncatedBody))))
            let answer = await gateway.response(model: model, stream: true)
            let passed = before.replacing(#""model":"inner""#, with: #""model":"\#(inner)""#)
            #expect(
                answer.text == passed
                    + failed(3, id: "resp_1", model: inner, code: "server_error", message: message))
            #expect(answer.bodyEnds == ["completeThenClose"])
            let line = try gateway.running.log.members()
            #expect(line["outcome"] == "upstream_failed" && line["error"] == "upstream_incomplete")
            #expect(line["finish_reason"] == nil)
        }
    }

    @Test func silenceInTheMiddleIsATimeout() async throws {
        let gateway = DialectGateway(
            Plan(chunks: [Typed.events(Typed.created)], end: .failure(TransportError(.silenceTimeout))))
        let answer = await gateway.response(stream: true)
        #expect(answer.text.contains("fell silent") && answer.text.contains(#""sequence_number":1,"#))
        #expect(try gateway.running.log.members()["outcome"] == "timed_out")
    }

    @Test(arguments: [
        (
            #"{"type":"error","code":"rate_limit_exceeded","message":"slow","param":null,"sequence_number":1}"#,
            "rate_limit_exceeded"
        ),
        (#"{"type":"error","code":"odd","message":"slow","sequence_number":1}"#, "server_error"),
        (#"{"error":{"message":"slow","code":"invalid_prompt"}}"#, "invalid_prompt"),
        (#"{"error":{"message":"slow","code":"x\"y"}}"#, "server_error"),
    ])
    func errorInsideAStreamBecomesAFailedResponse(_ document: String, _ code: String) async {
        let before = Typed.events(Typed.created)
        for name in ["", "event: error\n"] {
            let gateway = DialectGateway(Plan(chunks: [before, "\(name)data: \(document)\n\n"], end: nil))
            let answer = await gateway.response(stream: true)
            #expect(answer.text == before + failed(1, id: "resp_1", model: "inner", code: code, message: "slow"))
            #expect(gateway.openAI.isCancelled)
        }
    }

    @Test func failureBeforeTheFirstEventIsAnErrorStatus() async {
        for body in [
            "", #"data: {"type":"error","message":"m"}"# + "\n\n", #"{"error":{"message":"m"}}"#, "data: x\n\n",
        ] {
            let answer = await DialectGateway(Plan(chunks: [body])).response(stream: true)
            #expect(answer.status == 502 && answer.text.hasPrefix(#"{"error":{"message":""#), "\(answer.text)")
        }
    }

    @Test func upstreamsFailureIsRelayedAndCountedAsItsFailure() async throws {
        let own = Typed.state("failed", "failed", 1).replacing(
            #""error":null"#, with: #""error":{"code":"server_error","message":"m"}"#)
        let gateway = DialectGateway(Plan(chunks: [Typed.events(Typed.created), Typed.events(own)]))
        let answer = await gateway.response(stream: true)
        #expect(answer.text == Typed.events(Typed.created, own) && answer.bodyEnds == ["completeThenClose"])
        let line = try gateway.running.log.members()
        #expect(line["finish_reason"] == "failed" && line["outcome"] == "upstream_failed")
        #expect(line["error"] == "server_error")
    }

    @Test func earlyFailureIsAnErrorStatus() async {
        let own = Typed.state("failed", "failed", 1).replacing(
            #""error":null"#, with: #""error":{"code":"server_error","message":"m"}"#)
        let answer = await DialectGateway(Plan(chunks: [Typed.events(Typed.created, own)])).response(stream: true)
        #expect(answer.status == 502 && answer.isError(code: "server_error"), "\(answer.text)")
    }

    @Test(arguments: ["completed", "incomplete", "failed", "queued"])
    func wholeResponsePassesUnderItsPublicModel(_ status: String) async throws {
        let error = status == "failed" ? #"{"code":"server_error","message":"m"}"# : "null"
        let document =
            #"{ "id":"resp_1","object":"response","status":"\#(status)","error":\#(error),"model":"inner","output":[{"type":"message","id":"m","model":"inner"}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3} }"#
        let gateway = DialectGateway(.json(document))
        #expect(await gateway.response().text == document)
        let renamed = await gateway.response(model: "org/renamed")
        var expected = document
        expected.replaceSubrange(try #require(document.firstRange(of: #""inner""#)), with: #""org/renamed""#)
        #expect(renamed.status == 200 && renamed.text == expected)
        let line = try gateway.running.log.members()
        #expect(line["finish_reason"] == status && line["prompt_tokens"] == "1" && line["completion_tokens"] == "2")
    }

    @Test(arguments: [#"{"error":{"message":"m","code":"c"}}"#, #"{"error":"m"}"#, #"{"type":"error","message":"m"}"#])
    func errorWithStatus200IsAnError(_ body: String) async {
        let answer = await DialectGateway(.json(body)).response()
        #expect(answer.status == 502 && answer.text.contains(#""message":"m""#), "\(answer.text)")
    }

    @Test(arguments: ["", "[]", "text", "{", "{}x"]) func invalidDocumentIsABadGateway(_ body: String) async {
        let answer = await DialectGateway(.json(body)).response()
        #expect(answer.status == 502 && answer.isError(code: "upstream_invalid_json"))
    }
}
