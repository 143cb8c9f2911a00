import HeadgateEventLoop
import HeadgateTesting
import Testing

/// Events as large as a generated image.
@Suite(.serialized) struct LargeEventTests {
    private static let piece = String(repeating: "A", count: 64 << 10)

    private func image(pieces: Int) -> UpstreamScript {
        UpstreamScript(
            always: ScriptedResponse(
                headers: ["Content-Type": "text/event-stream"],
                chunks: [
                    ScriptedChunk(sseData(#"{"choices":[{"index":0,"delta":{"content":"one"}}]}"#)),
                    ScriptedChunk(#"data: {"choices":[{"index":0,"delta":{"content":""#),
                    ScriptedChunk(LargeEventTests.piece, repeat: pieces), ScriptedChunk("\"}}]}\n\n"),
                    ScriptedChunk(sseData(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#)),
                    ScriptedChunk(sseData("[DONE]")),
                ]))
    }

    @Test func lineOfFifteenMebibytesPassesAndDelaysNoOne() async throws {
        let running = try RunningGateway(image(pieces: 240), loops: 1)
        let lag = try LoopLag(of: running.group.loops[0])
        let events = try await running.openStream().readEvents(timeout: .seconds(60))
        let work = try lag.longestWork()
        try lag.stop()
        #expect(events.count == 4 && events.last == "[DONE]")
        #expect(events[1].utf8.count > 15 << 20)
        print("an event of 15 MiB: at most \(work) at a time")
        #expect(work < Duration.milliseconds(250).whenSanitized)
    }

    @Test func lineAboveTheCapIsCut() async throws {
        let running = try RunningGateway(image(pieces: 300), loops: 1)
        let events = try await running.openStream().readEvents(timeout: .seconds(60))
        #expect(events.count == 2 && events.last?.contains("upstream_oversize_event") == true, "\(events)")
        #expect(try await running.upstream.nextPeerClosed().isPeerClosed)
    }
}
