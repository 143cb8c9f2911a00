import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ChatCompletionsHandlerTests {
    private typealias Plan = PlannedTransport.Plan

    private let stream = Chunk.events(Chunk.role, Chunk.content("a"), Chunk.stop, Chunk.usage) + Chunk.done

    // MARK: Upstream requests

    @Test func upstreamRequestIsRebuilt() async throws {
        let running = InProcessGateway()
        var fields: HTTPFields = [
            .cookie: "c=1", .acceptEncoding: "gzip", .userAgent: "OpenAI/Python", .accept: "x/y", .referer: "r",
            .xAPIKey: InProcessGateway.clientKey, .xRequestID: "id-1",
        ]
        for name in ["X-Stainless-Lang", "OpenAI-Organization", "api-key", "Forwarded", "App-OS"] {
            fields[try #require(HTTPField.Name(name))] = "client"
        }
        let answer = await running.chat(headerFields: fields)
        #expect(answer.status == 200)
        let sent = try #require(running.transport.requests.first)
        #expect(sent.head.method == .post && sent.head.path == "/v1/chat/completions")
        #expect(sent.head.authority == "api.example" && sent.authority == "api.example")
        let expected: [String: String] = [
            "content-type": "application/json", "accept": "application/json", "accept-encoding": "identity",
            "user-agent": "headgate", "client-id": "my-app", "app-os": "linux",
            "authorization": "Bearer \(InProcessGateway.upstreamKey)",
        ]
        #expect(Dictionary(sent.head.headerFields.map { ($0.name.canonicalName, $0.value) }) { $1 } == expected)
        #expect(sent.head.headerFields.count == expected.count)
    }

    @Test func bodyIsForwardedWithOnlyItsEdits() async {
        let running = InProcessGateway()
        _ = await running.chat(extra: #", "x":[1.0]"#)
        _ = await running.chat(model: "org/renamed", extra: #", "x":[1.0]"#)
        let bodies = running.transport.requests.map(\.body)
        #expect(
            bodies == [
                #"{"model":"plain","stream":false,"messages":[], "x":[1.0]}"#,
                #"{"model":"inner","stream":false,"messages":[], "x":[1.0]}"#,
            ])
    }

    @Test func streamIsRequestedWithUsage() async {
        let running = InProcessGateway(Plan(chunks: [stream]))
        _ = await running.chat(stream: true)
        #expect(running.transport.requests.first?.body.hasPrefix(#"{"stream_options":{"include_usage":true},"#) == true)
        #expect(running.transport.requests.first?.head.headerFields[.accept] == "text/event-stream")
    }

    // MARK: Refusals

    @Test func unconfiguredModelIsUnknown() async {
        let running = InProcessGateway()
        for model in ["other", "lost", "PLAIN"] {
            let answer = await running.chat(model: model)
            #expect(answer.status == 404 && answer.isError(code: "model_not_found"))
        }
        #expect(running.transport.requests.isEmpty)
    }

    @Test func modelOutsideTheKeysListIsForbidden() async {
        let running = InProcessGateway()
        let answer = await running.chat(model: "org/renamed", key: InProcessGateway.limitedKey)
        #expect(answer.status == 403 && answer.isError(code: "model_not_allowed"))
        #expect(running.transport.requests.isEmpty)
        #expect(await running.chat(key: InProcessGateway.limitedKey).status == 200)
    }

    @Test func invalidChatRequestIsNeverForwarded() async {
        let running = InProcessGateway(bodyLimit: 100)
        for (body, status) in [
            ("", 400), ("{", 400), ("[]", 400), (#"{"model":"plain"}"#, 400), (String(repeating: " ", count: 101), 413),
        ] {
            #expect(await running.ask(.post, "/v1/chat/completions", body: body).status == status)
        }
        #expect(
            await running.ask(.post, "/v1/chat/completions", headerFields: [.contentType: "application/json"]).status
                == 400)
        #expect(running.transport.requests.isEmpty)
    }

    // MARK: Responses

    @Test func wholeAnswerPassesByteForByteUnderItsPublicModel() async {
        let document = #"{ "id":"x","model":"inner","choices":[],"x":1.0 }"#
        let running = InProcessGateway(.json(document, headerFields: [.setCookie: "a=b", .server: "s"]))
        let plain = await running.chat()
        #expect(plain.status == 200 && plain.text == document)
        #expect(
            plain.headerFields.map(\.name.canonicalName).sorted() == [
                "cache-control", "content-type", "x-headgate-upstream", "x-request-id",
            ])
        #expect(plain.headerFields[.xHeadgateUpstream] == "up")
        let renamed = await running.chat(model: "org/renamed")
        #expect(renamed.text == document.replacing("inner", with: "org/renamed"))
    }

    @Test func streamHasItsFieldsAndIsClean() async {
        let running = InProcessGateway(Plan(chunks: [": hi\n\n", stream.replacing("\n", with: "\r\n")]))
        let answer = await running.chat(model: "org/renamed", stream: true)
        #expect(answer.status == 200)
        #expect(answer.headerFields[.contentType] == "text/event-stream; charset=utf-8")
        #expect(answer.headerFields[.cacheControl] == "no-cache, no-transform")
        #expect(answer.headerFields[.xAccelBuffering] == "no")
        let renamed = [Chunk.role, Chunk.content("a"), Chunk.stop].map { $0.replacing("inner", with: "org/renamed") }
        #expect(answer.text == Chunk.events(renamed[0], renamed[1], renamed[2]) + Chunk.done)
        #expect(answer.bodyEnds == ["complete"])
    }

    @Test func requestedUsageIsPreserved() async {
        let running = InProcessGateway(Plan(chunks: [stream]))
        let answer = await running.chat(stream: true, extra: #","stream_options":{"include_usage":true}"#)
        #expect(answer.text == stream)
    }

    @Test(arguments: [
        ("<html>", "upstream_content_type"), (#"{"choices":[]}"#, "upstream_not_streaming"),
        ("", "upstream_incomplete"),
        ("data: x\n\n", "upstream_invalid_json"), (#"{"error":{"message":"m","code":"billing"}}"#, "billing"),
        (#"data: {"error":{"message":"m","code":"billing"}}"# + "\n\n", "billing"),
    ])
    func unstartedStreamIsAnErrorStatus(_ body: String, _ code: String) async {
        let running = InProcessGateway(Plan(headerFields: [.contentType: "text/event-stream"], chunks: [body]))
        let answer = await running.chat(stream: true)
        #expect(answer.status == 502 && answer.isError(code: code), "\(answer.text)")
        #expect(answer.headerFields[.contentType] == "application/json")
    }

    @Test func upstreamsErrorPassesWithoutTheKey() async {
        let body = #"{"error":{"message":"bad \#(InProcessGateway.upstreamKey)","code":"x"}}"#
        for isStream in [false, true] {
            let running = InProcessGateway(
                .json(body, status: 422, headerFields: [.retryAfter: "500", .setCookie: "a=b"]))
            let answer = await running.chat(stream: isStream)
            #expect(answer.status == 422 && answer.isError(code: "x"))
            #expect(answer.text.contains("bad [redacted]") && !answer.text.contains(InProcessGateway.upstreamKey))
            #expect(answer.headerFields[.retryAfter] == "120" && answer.headerFields[.setCookie] == nil)
        }
    }

    @Test func hugeOrTruncatedErrorBodyKeepsItsStatus() async {
        var plan = Plan(status: 500, chunks: [String](repeating: String(repeating: " ", count: 1000), count: 264))
        let huge = InProcessGateway(plan)
        #expect(await huge.chat().status == 500)
        #expect(huge.transport.isCancelled)
        plan.end = .failure(TransportError(.truncatedBody))
        plan.chunks = ["{"]
        #expect(await InProcessGateway(plan).chat().status == 500)
    }

    @Test(arguments: [Plan(chunks: [], end: nil, clientLeaves: true), Plan(status: 500, end: nil, clientLeaves: true)])
    func disconnectBeforeTheResponseStopsTheUpstream(_ plan: PlannedTransport.Plan) async {
        for isStream in [false, true] {
            // The disconnect cancels the task and everything in it, so the exchange has a separate task.
            let isCancelled = await Task {
                let running = InProcessGateway(plan)
                _ = await running.chat(stream: isStream)
                return running.transport.isCancelled
            }.value
            #expect(isCancelled)
        }
    }
}
