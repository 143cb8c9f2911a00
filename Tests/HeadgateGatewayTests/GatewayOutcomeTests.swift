import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// One access log line per request, with its actual outcome.
@Suite struct GatewayOutcomeTests {
    private typealias Plan = PlannedTransport.Plan

    /// Returns the members of the only line, except the members that every line has.
    private func line(_ running: InProcessGateway) throws -> [String: String] {
        #expect(running.log.all.count == 1)
        var members = try running.log.members()
        #expect(members.removeValue(forKey: "time") == "2027-01-15T08:00:00.123Z")
        #expect(members.removeValue(forKey: "remote") == "127.0.0.9")
        #expect(members.removeValue(forKey: "request_id")?.utf8.count == 36)
        #expect(members.removeValue(forKey: "duration_ms") != nil)
        for secret in [InProcessGateway.clientKey, InProcessGateway.upstreamKey] {
            #expect(!running.log.all[0].contains(secret))
        }
        return members
    }

    private static let chat = [
        "method": "POST", "operation": "createChatCompletion", "key": "test", "model": "plain", "upstream": "up",
        "bytes_in": "0",
    ]

    private func expect(
        _ running: InProcessGateway, _ members: [String: String], base: [String: String] = GatewayOutcomeTests.chat,
        bytesOut: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var expected = base.merging(members) { $1 }
        expected["bytes_out"] = String(bytesOut)
        #expect(try line(running) == expected, sourceLocation: sourceLocation)
    }

    @Test func finishedAnswer() async throws {
        let body = #"{"choices":[{"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#
        let running = InProcessGateway(.json(body))
        _ = await running.chat()
        try expect(
            running,
            [
                "status": "200", "outcome": "finished", "upstream_status": "200", "ttft_ms": "1", "prompt_tokens": "1",
                "completion_tokens": "2", "finish_reason": "length",
            ], bytesOut: body.utf8.count)
    }

    @Test func finishedStream() async throws {
        let stream = Chunk.events(Chunk.role, Chunk.content("confidential"), Chunk.stop, Chunk.usage) + Chunk.done
        let running = InProcessGateway(Plan(chunks: [stream]))
        let answer = await running.chat(stream: true)
        #expect(!running.log.all[0].contains("confidential"))
        try expect(
            running,
            [
                "status": "200", "outcome": "finished", "upstream_status": "200", "stream": "true", "ttft_ms": "1",
                "events": "4",
                "prompt_tokens": "9", "completion_tokens": "12", "finish_reason": "stop",
            ], bytesOut: answer.text.utf8.count)
    }

    @Test func streamThatEndedUncleanlyAfterEverything() async throws {
        let running = InProcessGateway(
            Plan(chunks: [Chunk.events(Chunk.stop)], end: .failure(TransportError(.truncatedBody))))
        let answer = await running.chat(stream: true)
        #expect(answer.bodyEnds == ["complete"])
        let members = try line(running)
        #expect(members["outcome"] == "finished" && members["unclean_end"] == "true" && members["error"] == nil)
    }

    @Test func refusedCallers() async throws {
        let noKey = InProcessGateway()
        let answer = await noKey.chat(key: "wrong")
        try expect(
            noKey, ["status": "401", "outcome": "refused", "error": "invalid_api_key"],
            base: ["method": "POST", "operation": "createChatCompletion", "bytes_in": "0"],
            bytesOut: answer.text.utf8.count)

        let noModel = InProcessGateway()
        let unknown = await noModel.chat(model: "hunter2")
        try expect(
            noModel, ["status": "404", "outcome": "refused", "error": "model_not_found"],
            base: ["method": "POST", "operation": "createChatCompletion", "bytes_in": "0", "key": "test"],
            bytesOut: unknown.text.utf8.count)

        let noRoute = InProcessGateway()
        let nowhere = await noRoute.ask(.delete, "/hunter2")
        try expect(
            noRoute, ["status": "404", "outcome": "refused", "error": "unknown_route"],
            base: ["method": "DELETE", "operation": "unmatched", "bytes_in": "0", "path": "/hunter2"],
            bytesOut: nowhere.text.utf8.count)
    }

    @Test(arguments: [
        ("/v1/nowhere?key=hunter2", "/v1/nowhere"), ("/v1/pairings/Ab-c_d/x", "/v1/pairings/***/x"),
        ("/v1/sk-proj-abcdef0123456789/x", "/v1/***/x"),
        ("/" + String(repeating: "ab-", count: 100), "/" + String(repeating: "ab-", count: 66) + "a"), ("//x", "//x"),
    ])
    func pathOfAnUnknownRouteIsLoggedWithoutSecrets(path: String, shown: String) async throws {
        let running = InProcessGateway()
        _ = await running.ask(.get, path)
        #expect(try running.log.members()["path"] == shown)
    }

    @Test(arguments: [
        (Plan.failing(.connect), "502", "upstream_failed", "upstream_connect"),
        (.failing(.responseTimeout), "504", "timed_out", "upstream_timeout"),
        (.failing(.closedBeforeResponse), "502", "upstream_failed", "upstream_disconnected"),
        (.failing(.notReady, "It is loading"), "503", "upstream_failed", "upstream_starting"),
    ])
    func upstreamWithoutAHead(_ plan: PlannedTransport.Plan, _ status: String, _ outcome: String, _ error: String)
        async throws
    {
        for isStream in [false, true] {
            let running = InProcessGateway(plan)
            let answer = await running.chat(stream: isStream)
            #expect(answer.isError(code: error))
            var members = ["status": status, "outcome": outcome, "error": error]
            if isStream { members.merge(["stream": "true", "events": "0"]) { $1 } }
            if error == "upstream_starting" { members["detail"] = "It is loading" }
            try expect(running, members, bytesOut: answer.text.utf8.count)
        }
    }

    @Test(arguments: [
        (401, "502", "upstream_auth"), (403, "403", "upstream_error"), (429, "429", "upstream_error"),
        (500, "500", "upstream_error"),
        (302, "502", "upstream_redirect"),
    ])
    func refusingUpstream(_ status: Int, _ expected: String, _ error: String) async throws {
        let running = InProcessGateway(.json("", status: status))
        let answer = await running.chat()
        try expect(
            running,
            ["status": expected, "outcome": "upstream_failed", "error": error, "upstream_status": String(status)],
            bytesOut: answer.text.utf8.count)
    }

    @Test func upstreamsProseIsNotAnErrorCode() async throws {
        let running = InProcessGateway(.json(#"{"error":{"message":"m","code":"the user said hunter2"}}"#, status: 400))
        let answer = await running.chat()
        #expect(answer.isError(code: "the user said hunter2"))
        #expect(try line(running)["error"] == "status_400")
    }

    @Test(arguments: [
        (TransportError.Kind.truncatedBody, "upstream_failed", "upstream_incomplete"),
        (.silenceTimeout, "timed_out", "upstream_timeout"),
        (.protocolViolation, "upstream_failed", "upstream_protocol"),
    ])
    func truncatingUpstream(_ kind: TransportError.Kind, _ outcome: String, _ error: String) async throws {
        let first = Chunk.events(Chunk.role, Chunk.content("a"))
        let running = InProcessGateway(Plan(chunks: [first], end: .failure(TransportError(kind))))
        let answer = await running.chat(stream: true)
        #expect(answer.status == 200 && answer.bodyEnds == ["completeThenClose"])
        #expect(answer.text.hasPrefix(first) && !answer.text.contains("[DONE]"))
        try expect(
            running,
            [
                "status": "200", "outcome": outcome, "error": error, "upstream_status": "200", "stream": "true",
                "events": "2",
                "ttft_ms": "1",
            ], bytesOut: answer.text.utf8.count)

        let whole = InProcessGateway(Plan(chunks: ["{"], end: .failure(TransportError(kind))))
        let short = await whole.chat()
        #expect(short.status >= 502)
        let members = try line(whole)
        #expect(members["outcome"] == outcome && members["error"] == error)
    }

    @Test func nothingIsWrittenBeforeTheEnd() async {
        let running = InProcessGateway()
        _ = await running.chat(completes: false)
        #expect(running.log.all.isEmpty)
    }

    @Test func invalidRequestBytesAreRefusedAndLogged() throws {
        let running = InProcessGateway()
        let record = running.record()
        let metadata = ServerRequestMetadata(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9"),
            bodyLength: .fixed(0), context: record)
        let response = running.gateway.refuse(.headTimeout, metadata: metadata)
        guard case .bytes(let bytes)? = response.body else {
            Issue.record("no body")
            return
        }
        #expect(response.head.status == 408)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""type":"invalid_request_error""#))
        let id = record.facts.requestID
        #expect(id.utf8.count == 36)
        record.complete(.finished)
        #expect(try running.log.members()["request_id"] == id)
        var members = try line(running)
        members["outcome"] = nil
        #expect(
            members == [
                "status": "408", "error": "status_408", "operation": "unmatched", "bytes_in": "0", "bytes_out": "0",
            ])
    }

    @Test func goodAnswersToPollsAreNotLogged() async {
        let running = InProcessGateway()
        for path in ["/livez", "/readyz", "/healthz", "/status/data"] {
            #expect(await running.ask(.get, path).status == 200)
        }
        #expect(running.log.all.isEmpty)
        _ = await running.ask(.get, "/status/data", key: InProcessGateway.limitedKey)
        running.gateway.readiness.beginDraining()
        _ = await running.ask(.get, "/readyz")
        _ = await running.ask(.get, "/v1/models")
        #expect(running.log.all.count == 3)
        #expect(running.log.all[0].contains("getStatus") && running.log.all[0].contains("403"))
        #expect(running.log.all[1].contains("getReadiness") && running.log.all[1].contains("503"))
    }
}
