import HeadgateHTTP
import HeadgateTesting
import HeadgateUpstream
import Testing

/// Silent upstreams.
@Suite struct SilenceTests {
    private static let timeouts = TransferTimeouts(silence: .milliseconds(400))
    private static let role = sseData(#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"#)
    private static let one = sseData(#"{"choices":[{"index":0,"delta":{"content":"one"}}]}"#)
    private static let end =
        sseData(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#) + sseData("[DONE]")

    private func events(
        _ chunks: [ScriptedChunk], timeouts: TransferTimeouts = SilenceTests.timeouts
    ) async throws -> [String] {
        let response = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"],
            chunks: [ScriptedChunk(SilenceTests.role), ScriptedChunk(SilenceTests.one)] + chunks
                + [ScriptedChunk(SilenceTests.end)])
        let running = try RunningGateway(UpstreamScript(always: response), timeouts: timeouts)
        return try await running.openStream().readEvents()
    }

    /// A generated image arrives over a slow line. None of its pauses comes near the limit, even on a busy machine.
    @Test func longEventCanExceedTheSilenceLimit() async throws {
        let piece = String(repeating: "A", count: 25_000)
        let events = try await events(
            [
                ScriptedChunk(#"data: {"choices":[{"index":0,"delta":{"content":""#),
                ScriptedChunk(piece, delay: .milliseconds(75), repeat: 41), ScriptedChunk("\"}}]}\n\n"),
            ], timeouts: TransferTimeouts(silence: .seconds(3)))
        #expect(events.count == 5 && events.last == "[DONE]", "\(events.map { $0.prefix(200) })")
        #expect(events[2].utf8.count > 1_000_000)
    }

    @Test func stalledEventEndsTheStream() async throws {
        let events = try await events([
            ScriptedChunk(#"data: {"choices":[{"index":0,"delta":{"content":""#),
            ScriptedChunk("more", delay: .milliseconds(50), repeat: 3),
            ScriptedChunk("\"}}]}\n\n", delay: .seconds(3)),
        ])
        #expect(events.last?.contains("upstream_timeout") == true, "\(events)")
    }

    @Test func endlessCommentIsNotAStream() async throws {
        let response = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"],
            chunks: [ScriptedChunk(": "), ScriptedChunk("x", delay: .milliseconds(40), repeat: 50)]
                + [ScriptedChunk("\n\n" + SilenceTests.one + SilenceTests.end)])
        let running = try RunningGateway(UpstreamScript(always: response), timeouts: SilenceTests.timeouts)
        let answer = try await running.ask(RunningGateway.body(stream: true))
        #expect(answer.status == 504 && answer.text.contains("upstream_timeout"), "\(answer.text)")
    }

    /// Together with the following events, these would form a complete stream.
    @Test(arguments: [
        [": still ", "here\n\n"], ["data:\n", "\n"], ["event: ping\n", "\n"], [role, ""],
        [String(role.prefix(30)), String(role.dropFirst(30))],
    ])
    func keepAliveBytesAreNotProgress(_ halves: [String]) async throws {
        let events = try await events(
            (0..<40).flatMap { _ in halves.map { ScriptedChunk($0, delay: .milliseconds(40)) } })
        #expect(events.last?.contains("upstream_timeout") == true, "\(events.suffix(3))")
    }
}
