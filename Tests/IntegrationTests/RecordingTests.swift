import Foundation
import HeadgateCassettes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Recording and replaying, over sockets.
@Suite struct RecordingTests {
    /// Recordings in memory, for which a test can wait.
    private final class Written: CassetteSink {
        let files = Mailbox<CassetteFile>()

        func write(_ make: @escaping @Sendable () -> CassetteFile?) { if let file = make() { files.post(file) } }
        func drop() {}
    }

    private func recording(
        _ mode: RecordConfiguration.Mode, _ files: [CassetteFile] = [], sink: Written? = nil
    ) -> Recording {
        let configuration = RecordConfiguration(folder: "/", mode: mode)
        let shelf = Locked(CassetteShelf(files))
        return Recording(
            configuration, shelf: shelf,
            recorder: sink.map { Recorder(configuration, definitions: [], sink: $0) },
            clock: RecordingClock(
                realtime: { 1_800_000_000_000_000_000 }, now: { EventLoop.current.now },
                after: { delay, action in
                    let timer = LoopTimer(loop: EventLoop.current, action: action)
                    timer.schedule(after: delay)
                    return timer
                }))
    }

    private static let streams: [[UInt8]] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/sse.json")
        struct Vector: Decodable {
            let input: Data

            enum CodingKeys: String, CodingKey { case input = "input_base64" }
        }

        let vectors = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([Vector].self, from: $0) }
        return (vectors ?? []).map { [UInt8]($0.input) } + [conversation]
    }()

    private static let conversation = Array(
        (["one", " two", " thrée"].map { #"data: {"choices":[{"index":0,"delta":{"content":"\#($0)"}}]}"# + "\n\n" }
            + [#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\n", "data: [DONE]\n\n"])
            .joined().utf8)

    /// Requests the stream with this number.
    private func ask(_ running: RunningGateway, _ number: Int) async throws -> (status: Int, digest: String) {
        let response = try await running.ask(
            #"{"model":"scripted","stream":true,"messages":[],"seed":\#(number)}"#)
        return (response.status, KeyDigest(of: response.body).hexadecimal)
    }

    @Test func everyStreamOfTheVectorsIsReplayedToTheByte() async throws {
        let streams = RecordingTests.streams
        #expect(streams.count >= 90)
        let script = UpstreamScript(
            inOrder: streams.map {
                ScriptedResponse(
                    headers: ["Content-Type": "text/event-stream"], chunks: [ScriptedChunk(bytes: $0)], framing: .close,
                    split: max(1, $0.count / 7))
            })
        let written = Written()
        var answers: [(status: Int, digest: String)] = []
        var files: [CassetteFile] = []
        let live = try RunningGateway(script, recording: recording(.record, sink: written))
        for (number, stream) in streams.enumerated() {
            answers.append(try await ask(live, number))
            let file = try #require(await written.files.next(timeout: .seconds(60), "a recording"))
            // The recording is read as from the disk.
            let cassette = try Cassette(text: file.cassette.text)
            files.append(CassetteFile(name: file.name, cassette: cassette))
            let body = try #require(cassette.responseBody)
            // Bytes after the end of a response are not read, so they are not recorded.
            #expect(stream.starts(with: body), "stream \(number)")
            if cassette.end.kind == .complete, answers[number].status != 200 { #expect(body == stream) }
        }
        #expect(files.last?.cassette.responseBody == RecordingTests.conversation)
        let replayed = try RunningGateway(
            UpstreamScript(always: .openAIError(status: 500, message: "asked")), recording: recording(.replay, files))
        for (number, answer) in answers.enumerated() {
            let again = try await ask(replayed, number)
            #expect(again.status == answer.status && again.digest == answer.digest, "stream \(number)")
        }
        #expect(replayed.upstream.requests.isEmpty)
    }

    @Test func missIsAnErrorInTheDialectOfTheRoute() async throws {
        let running = try RunningGateway(
            UpstreamScript(always: .chatCompletion("never")), recording: recording(.replay))
        let response = try await running.ask()
        #expect(response.status == 404 && response.text.contains(#""code":"not_recorded""#), "\(response.text)")
        #expect(running.upstream.requests.isEmpty)
    }

    @Test(arguments: [ScriptedResponse.End.cut, .reset])
    func reportedStreamIsAScriptOfTheUpstream(_ end: ScriptedResponse.End) async throws {
        var broken = ScriptedResponse.chatStream(words: ["one", " two"]).ending(end)
        broken.chunks = Array(broken.chunks.prefix(2))
        let written = Written()
        let live = try RunningGateway(UpstreamScript(always: broken), recording: recording(.record, sink: written))
        let seen = try await live.ask(RunningGateway.body(stream: true)).text
        let file = try #require(await written.files.next(timeout: .seconds(60), "a recording"))
        let script = try UpstreamScript([(name: file.name, cassette: try Cassette(text: file.cassette.text))])
        let again = try RunningGateway(script)
        #expect(try await again.ask(RunningGateway.body(stream: true)).text == seen)
        #expect(seen.contains("upstream_incomplete"), "\(seen)")
    }
}
