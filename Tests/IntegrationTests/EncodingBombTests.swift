import HeadgateEventLoop
import HeadgateHTTP
import HeadgateServer
import HeadgateTesting
import Testing

/// Compressed bodies that decode to far more.
@Suite(.serialized) struct EncodingBombTests {
    /// Returns a response of a few hundred thousand bytes that decode to a gigabyte.
    ///
    /// - Parameter repeating: text that fills the gigabyte.
    private func bomb(_ type: String, _ beginning: String, repeating text: String) -> ScriptedResponse {
        let compressor = Compressor(.gzip)
        let piece = Array(String(repeating: text, count: (1 << 20) / text.utf8.count).utf8)
        let first = compressor.flush(Array(beginning.utf8) + piece)
        // After a flush the same input gives the same output, shifted to a whole byte.
        _ = compressor.flush(piece)
        let again = compressor.flush(piece)
        return ScriptedResponse(
            headers: ["Content-Type": type, "Content-Encoding": "gzip"],
            chunks: [ScriptedChunk(bytes: first), ScriptedChunk(bytes: again, repeat: 1024)])
    }

    @Test func endlessWholeResponseIsRefused() async throws {
        let running = try RunningGateway(
            UpstreamScript(always: bomb("application/json", #"{"choices":["#, repeating: " ")))
        let answer = try await running.ask()
        #expect(answer.status == 502, "\(answer.text)")
        #expect(answer.text.contains("upstream_encoding") && answer.text.contains("bomb"), "\(answer.text)")
        #expect(answer.body.count < 4096)
        #expect(try await running.upstream.nextPeerClosed().isPeerClosed)
    }

    @Test func endlessStreamIsCutWithAnErrorEvent() async throws {
        let first = sseData(#"{"choices":[{"index":0,"delta":{"content":"one"}}]}"#)
        let running = try RunningGateway(
            UpstreamScript(always: bomb("text/event-stream", first, repeating: ":\n")))
        let stream = try await running.openStream()
        let events = try await stream.readEvents(timeout: .seconds(30))
        #expect(events.first?.contains(#""content":"one""#) == true)
        #expect(events.last?.contains(#""code":"upstream_encoding""#) == true, "\(events)")
        #expect(events.count == 2)
        let line = await running.log.next()
        let sent = try #require(line.firstMatch(of: /"bytes_out":(\d+)/).flatMap { Int($0.1) })
        #expect(sent < 4096, "\(line)")
        #expect(try await running.upstream.nextPeerClosed().isPeerClosed)
    }

    /// The stream consists of comments only, and its ratio is below that of a bomb.
    @Test func streamOfCommentsDelaysNoOneAndIsCut() async throws {
        let compressor = Compressor(.gzip)
        let comments = String(repeating: ": still here, ...\n", count: 1 << 10)
        let start = sseData(#"{"choices":[{"index":0,"delta":{"content":"one"}}]}"#)
        var coded = compressor.code(Array(start.utf8))
        var size = 0
        while size < 64 << 20 {
            let piece = Array("\(comments): \(size % 9973)\n".utf8)
            size += piece.count
            coded += compressor.code(piece)
        }
        coded += compressor.finish()
        #expect(size / coded.count < 900)
        let response = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream", "Content-Encoding": "gzip"],
            chunks: [ScriptedChunk(bytes: coded)])
        let running = try RunningGateway(UpstreamScript(always: response), loops: 1)
        let lag = try LoopLag(of: running.group.loops[0])
        let events = try await running.openStream().readEvents(timeout: .seconds(60))
        #expect(events.count == 2 && events.last?.contains(#""code":"upstream_no_content""#) == true, "\(events)")
        let work = try lag.longestWork()
        print("\(coded.count) octets that decode to \(size) of comments: at most \(work) at a time")
        #expect(work < Duration.milliseconds(250).whenSanitized)
        try lag.stop()
    }

    @Test func endlessLineIsCut() async throws {
        let running = try RunningGateway(
            UpstreamScript(
                always: bomb("text/event-stream", #"data: {"choices":[{"delta":{"content":""#, repeating: "x")))
        let answer = try await running.ask(RunningGateway.body(stream: true))
        #expect(answer.status == 502, "\(answer.text)")
        #expect(answer.text.contains("upstream_encoding") || answer.text.contains("upstream_oversize_event"))
        #expect(try await running.upstream.nextPeerClosed().isPeerClosed)
    }

    /// A few bytes decode to more than a client's queue. Decoding pauses with the client, and continues without further
    /// input.
    @Test func readerThatPausesGetsEverythingAndTheQueueStaysBounded() async throws {
        let events = 6_000
        let text = (0..<events).map {
            sseData(
                #"{"choices":[{"index":0,"delta":{"content":"\#($0) \#(String(repeating: "y", count: 2200))"}}]}"#)
        }.joined()
        let last = sseData(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#) + sseData("[DONE]")
        let coded = Compressor(.gzip).finish(Array((text + last).utf8))
        #expect(coded.count < 1 << 20 && text.utf8.count > 12 << 20)
        let response = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream", "Content-Encoding": "gzip"],
            chunks: [ScriptedChunk(bytes: coded)], framing: .length
        )
        let running = try RunningGateway(UpstreamScript(always: response))
        let connection = try await running.client.connect(port: running.port)
        connection.stopReading()
        async let opening = connection.open(
            "POST", RunningGateway.chatPath, headers: running.headers,
            body: Array(RunningGateway.body(stream: true).utf8))
        // The upstream has sent everything when the client begins to read.
        _ = try await running.upstream.nextEvent(.finished(0))
        connection.startReading()
        let received = try await opening.readEvents(timeout: .seconds(60))
        #expect(received.count == events + 2)
        #expect(zip(received, 0..<events).allSatisfy { $0.contains(#""content":"\#($1) y"#) })
        let line = await running.log.next()
        let peak = line.firstMatch(of: /"queued_max":(\d+)/).flatMap { Int($0.1) } ?? 0
        print("the most that was queued of a decoded stream: \(peak) bytes")
        #expect(peak <= 320 * 1024, "\(line)")
    }
}
