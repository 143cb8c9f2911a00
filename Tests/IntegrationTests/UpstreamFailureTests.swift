import HeadgateServer
import HeadgateTesting
import HeadgateUpstream
import Testing

@Suite struct UpstreamFailureTests {
    private static let twoWords = ScriptedResponse.chatStream(words: ["one", "two"])

    /// Expects one error event with this code, no `[DONE]`, and a closed connection.
    private func expectBrokenStream(_ response: ScriptedResponse, code: String, timeouts: TransferTimeouts = .init())
        async throws
    {
        let running = try RunningGateway(UpstreamScript(always: response), timeouts: timeouts)
        let stream = try await running.openStream()
        #expect(stream.status == 200)
        let events = try await stream.readEvents()
        let errors = events.filter { $0.hasPrefix(#"{"error":"#) }
        #expect(errors.count == 1)
        #expect(errors.first == events.last)
        #expect(errors.first?.contains(#""code":"\#(code)""#) == true, "\(events)")
        #expect(!events.contains("[DONE]"))
        #expect(events.contains { $0.contains(#""content":"one""#) })
        let line = await running.log.next()
        #expect(line.contains(#""error":"\#(code)""#))
    }

    @Test func cutMidStreamIsOneErrorEventAndNoDone() async throws {
        var response = UpstreamFailureTests.twoWords
        response.chunks = Array(response.chunks.prefix(2))
        try await expectBrokenStream(response.ending(.cut), code: "upstream_incomplete")
    }

    @Test func resetMidStreamIsOneErrorEventAndNoDone() async throws {
        // The delay lets the first words through before the reset discards unread bytes.
        var response = UpstreamFailureTests.twoWords
        response.chunks = Array(response.chunks.prefix(2)) + [ScriptedChunk(": wait\n\n", delay: .milliseconds(50))]
        try await expectBrokenStream(response.ending(.reset), code: "upstream_incomplete")
    }

    @Test func cleanEndWithoutDoneAndFinishReasonIsOneErrorEvent() async throws {
        var response = UpstreamFailureTests.twoWords
        response.chunks = Array(response.chunks.prefix(2))
        try await expectBrokenStream(response, code: "upstream_incomplete")
    }

    /// The rest of the body reaches a closed connection, and the earlier response must not be lost.
    @Test(arguments: [ScriptedResponse.End.clean, .reset], [false, true])
    func refusalBeforeTheBodyIsReadIsForwarded(_ end: ScriptedResponse.End, onReusedConnection isReused: Bool)
        async throws
    {
        let refusal = ScriptedResponse.openAIError(status: 413, message: "too long for me", code: "too_long").ending(
            end)
        var script = UpstreamScript(inOrder: isReused ? [.chatCompletion("ok"), refusal] : [refusal])
        script.longestReadBody = 1 << 20
        let running = try RunningGateway(script, loops: 1)
        if isReused { #expect(try await running.ask().status == 200) }
        let padding = String(repeating: "x", count: 8 << 20)
        let answer = try await running.ask(RunningGateway.body(stream: false, extra: #","user":"\#(padding)""#))
        #expect(answer.status == 413)
        // A reset truncates the body, but the message still has the status.
        #expect(answer.text.contains(end == .clean ? "too long for me" : "status 413"))
        #expect(running.upstream.requests.count == (isReused ? 2 : 1))
    }

    @Test func silenceMidStreamEndsAtItsDeadline() async throws {
        let timeouts = TransferTimeouts(silence: .milliseconds(200))
        try await expectBrokenStream(
            UpstreamFailureTests.twoWords.stalling(afterChunks: 2), code: "upstream_timeout", timeouts: timeouts)
    }

    @Test func commentsAreNotProgress() async throws {
        var response = UpstreamFailureTests.twoWords
        response.chunks =
            Array(response.chunks.prefix(2)) + [ScriptedChunk(": still here\n\n", delay: .milliseconds(50), repeat: 60)]
        let timeouts = TransferTimeouts(silence: .milliseconds(300))
        try await expectBrokenStream(response.ending(.stall), code: "upstream_timeout", timeouts: timeouts)
    }

    @Test func missingResponseIsAGatewayTimeout() async throws {
        let stall = ScriptedResponse(chunks: [], endBeforeHead: .stall)
        let running = try RunningGateway(
            UpstreamScript(always: stall), timeouts: TransferTimeouts(firstByte: .milliseconds(200)))
        let answer = try await running.ask(RunningGateway.body(stream: true))
        #expect(answer.status == 504)
        #expect(answer.text.contains("upstream_timeout"))
        #expect(await running.log.next().contains(#""outcome":"timed_out""#))
    }

    @Test func soleTargetsWholeResponseCanBeginAfterTheDeadline() async throws {
        var late = ScriptedResponse.chatCompletion("late")
        late.headDelay = .milliseconds(600)
        let running = try RunningGateway(
            UpstreamScript(always: late), timeouts: TransferTimeouts(firstByte: .milliseconds(200)))
        let answer = try await running.ask()
        #expect(answer.status == 200 && answer.text.contains("late"))
    }

    @Test func refusedUpstreamKeyIsABadGatewayWithAdvice() async throws {
        let refusal = ScriptedResponse.openAIError(
            status: 401, message: "Incorrect API key provided: \(RunningGateway.upstreamKey)", code: "invalid_api_key")
        let running = try RunningGateway(UpstreamScript(always: refusal))
        let answer = try await running.ask()
        #expect(answer.status == 502)
        #expect(answer.text.contains("upstream_auth"))
        #expect(answer.text.contains("api_key"))
        #expect(!answer.text.contains(RunningGateway.upstreamKey))
        #expect(answer.headers["www-authenticate"] == nil)
    }

    @Test func unreachableUpstreamIsABadGateway() async throws {
        let reserved = try ReservedPort()
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")), upstreamPort: reserved.port)
        let answer = try await running.ask()
        #expect(answer.status == 502)
        #expect(answer.text.contains("upstream_connect"))
        #expect(!answer.text.contains("\(reserved.port)"))
        #expect(
            await running.log.next().contains(#""detail":"127.0.0.1:\#(reserved.port): Connection refused""#))
        withExtendedLifetime(reserved) {}
    }

    @Test func statusMessageAndRetryAfterOfAnUpstreamErrorPass() async throws {
        let limited = ScriptedResponse.openAIError(
            status: 429, message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded",
            headers: ["Retry-After": "7"])
        let running = try RunningGateway(UpstreamScript(always: limited))
        let answer = try await running.ask(RunningGateway.body(stream: true))
        #expect(answer.status == 429)
        #expect(answer.headers["retry-after"] == "7")
        #expect(answer.text.contains("Rate limit reached"))
        #expect(answer.text.contains("rate_limit_exceeded"))
    }

    @Test func pageInsteadOfAStreamIsNeverRelayed() async throws {
        let page = ScriptedResponse(
            headers: ["Content-Type": "text/html"], chunks: [ScriptedChunk("<html>please log in</html>")])
        let running = try RunningGateway(UpstreamScript(always: page))
        let answer = try await running.ask(RunningGateway.body(stream: true))
        #expect(answer.status == 502)
        #expect(answer.text.contains("upstream_content_type"))
        #expect(!answer.text.contains("log in"))
    }

    @Test func errorObjectWithStatus200BecomesAnErrorStatus() async throws {
        let running = try RunningGateway(
            UpstreamScript(always: .json(#"{"error":{"message":["no","money"],"type":"billing"}}"#)))
        let answer = try await running.ask(RunningGateway.body(stream: true))
        #expect(answer.status == 502)
        #expect(answer.text.contains("no; money"))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "garbage\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n",
    ])
    func brokenFramingIsABadGateway(_ head: String) async throws {
        let running = try RunningGateway(
            UpstreamScript(always: ScriptedResponse(chunks: [], rawHead: Array(head.utf8))))
        let answer = try await running.ask()
        #expect(answer.status == 502)
        #expect(answer.text.contains("upstream_protocol"))
    }

    @Test func postIsNotResentOnADyingFreshConnection() async throws {
        let response = ScriptedResponse(chunks: [], endBeforeHead: .cut)
        let running = try RunningGateway(UpstreamScript(always: response))
        let answer = try await running.ask()
        #expect(answer.status == 502)
        #expect(answer.text.contains("upstream_disconnected"))
        #expect(running.upstream.requests.count == 1)
    }
}
