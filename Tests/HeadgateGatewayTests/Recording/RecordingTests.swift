import HTTPTypes
import HeadgateCassettes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Recording and replaying around a transport.
@Suite final class RecordingTests {
    static let key = "sk-0123456789abcdefghijklmnop"
    private static let stream = ["data: {\"a\":1}\n\nda", "ta: {\"a\":\"ö\"}\r\n\r\n", "data: [DONE]\n\n"]

    private let transport = ManualTransport()
    private let clock = ManualClock()
    private let written = WrittenCassettes()

    /// Calls that a test left open form a reference cycle with their readers.
    deinit { for call in transport.calls { call.body.cancel() } }

    private func upstream(
        _ mode: RecordConfiguration.Mode, _ cassettes: [Cassette] = [], ignoring: [String] = [],
        pace: RecordConfiguration.Pace = .atOnce, bodies: Bool = true, shelf: Locked<CassetteShelf>? = nil
    ) -> Upstream {
        var configuration = RecordConfiguration(folder: "/cassettes", mode: mode)
        (configuration.ignored, configuration.pace, configuration.bodies) = (ignoring, pace, bodies)
        let definition = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tcp(host: "h", port: 80), pathPrefix: "/v1"),
            credential: Secret(RecordingTests.key),
            headers: [HeaderConfiguration(name: "X-Tenant", value: "tenant-secret-1")], transport: transport)
        let files = cassettes.enumerated().map { CassetteFile(name: "\($0.offset).cassette", cassette: $0.element) }
        let shelf = shelf ?? Locked(CassetteShelf(files, ignoring: Set(ignoring)))
        let clock = clock
        let recording = Recording(
            configuration, shelf: shelf,
            recorder: mode == .replay ? nil : Recorder(configuration, definitions: [definition], sink: written),
            clock: RecordingClock(
                realtime: { 1_800_000_000_123_000_000 }, now: { clock.now },
                after: { delay, action in
                    clock.schedule(afterNanoseconds: delay.nanoseconds, action)
                    return nil
                }))
        return Upstream(definition, timeouts: UpstreamTimeouts(), relaysRateLimits: true, middlewares: [recording])
    }

    static func body(_ text: String = "hi", extra: String = "") -> String {
        #"{"model":"gpt-5","messages":["\#(text)"]\#(extra)}"#
    }

    /// Outcome of one request.
    private final class Attempt {
        var result: Result<UpstreamResponse, TransportError>?
        let body = CollectedBody()
        var work: (any Cancellable)?

        var error: TransportError? {
            if case .failure(let error) = result { error } else { nil }
        }
        var response: UpstreamResponse? { try? result?.get() }
        var source: (any BodySource)? { response?.body?.source }

        func read() { source?.start(body) }
    }

    private func send(_ upstream: Upstream, _ body: String = body(), path: String = "/v1/chat/completions") -> Attempt {
        let attempt = Attempt()
        let head = upstream.head(.post, path: path, fields: [.contentType: "application/json"])
        attempt.work = upstream.send(
            UpstreamRequest(head, body: Array(body.utf8), operationID: "createChatCompletion")
        ) { attempt.result = $0 }
        return attempt
    }

    /// Records one streamed exchange.
    private func record(_ end: (ManualBody) -> Void = { $0.finish() }, body: String = body()) throws -> Cassette {
        let attempt = send(upstream(.record), body)
        clock.advance(by: .milliseconds(312))
        transport.calls.last?.respond(fields: [.setCookie: "session=1", .server: "x \(RecordingTests.key)"])
        attempt.read()
        let sent = try #require(transport.calls.last?.body)
        for chunk in RecordingTests.stream {
            clock.advance(by: .milliseconds(10))
            sent.send(chunk)
        }
        end(sent)
        return try #require(written.files.last?.cassette)
    }

    @Test func exchangeIsRecordedUnchanged() throws {
        let cassette = try record()
        #expect(cassette.request.body == .bytes(Array(RecordingTests.body().utf8)) && cassette.model == "gpt-5")
        #expect(cassette.request.path == "/v1/chat/completions" && cassette.route == "/chat/completions")
        #expect(cassette.request.fields == [.init("content-type", "application/json")])
        let response = try #require(cassette.response)
        #expect(response.milliseconds == 312 && response.status == 200)
        #expect(response.fields == [.init("server", "x ***"), .init("content-type", "text/event-stream")])
        #expect(response.chunks.map(\.milliseconds) == [10, 20, 30])
        #expect(response.chunks.map(\.content) == RecordingTests.stream.map { .bytes(Array($0.utf8)) })
        #expect(cassette.end == .init(.complete, milliseconds: 30))
        #expect(
            written.files.last?.name.hasPrefix("2027-01-15T080000.123Z-createChatCompletion-gpt-5-") == true,
            "\(written.files.map(\.name))")
    }

    @Test func longNameOfAModelIsWrittenShortened() throws {
        let body = #"{"model":"\#(String(repeating: "é", count: 200))"}"#
        let cassette = try Cassette(text: try record(body: body).text)
        #expect(cassette.model == String(repeating: "é", count: 128))
        #expect(cassette.request.body == .bytes(Array(body.utf8)))
        let attempt = send(upstream(.replay, [cassette]), body)
        #expect(attempt.response?.head.status == 200)
    }

    @Test func recordingIsReplayedInItsOriginalPieces() throws {
        let replayed = upstream(.replay, [try Cassette(text: try record().text)])
        let count = transport.calls.count
        for _ in 0..<2 {
            let attempt = send(replayed, #" {"messages":["hi"], "model":"gpt-5"}"#)
            attempt.read()
            #expect(attempt.response?.head.status == 200 && attempt.response?.receivedStatus == nil)
            #expect(attempt.body.pieces == RecordingTests.stream && attempt.body.ends == ["complete"])
        }
        #expect(transport.calls.count == count)
    }

    @Test func recordedPaceIsReplayedToTheMillisecond() throws {
        let attempt = send(upstream(.replay, [try record()], pace: .recorded))
        clock.advance(by: .milliseconds(311))
        #expect(attempt.result == nil)
        clock.advance(by: .milliseconds(1))
        attempt.read()
        #expect(attempt.response != nil && attempt.body.pieces.isEmpty)
        for count in 1...3 {
            clock.advance(by: .milliseconds(9))
            #expect(attempt.body.pieces.count == count - 1)
            clock.advance(by: .milliseconds(1))
            #expect(attempt.body.pieces.count == count)
        }
        #expect(attempt.body.ends == ["complete"])
    }

    @Test func brokenStreamIsReplayedBroken() throws {
        let cassette = try record { $0.fail(.truncatedBody, "Connection reset by peer") }
        #expect(cassette.end == .init(.truncatedBody, milliseconds: 30, detail: "Connection reset by peer"))
        let attempt = send(upstream(.replay, [cassette]))
        attempt.read()
        #expect(attempt.body.pieces == RecordingTests.stream && attempt.body.ends == ["failed"])
    }

    @Test func recordedFailureIsReplayed() throws {
        _ = send(upstream(.record))
        transport.calls.last?.fail(.closedBeforeResponse)
        let cassette = try #require(written.files.last?.cassette)
        #expect(cassette.response == nil && cassette.end.kind == .closedBeforeResponse)
        #expect(send(upstream(.replay, [cassette])).error?.kind == .closedBeforeResponse)
    }

    @Test func recordingsOfOneRequestAreReplayedInOrder() throws {
        let second = try record { $0.fail(.truncatedBody) }
        let replayed = upstream(.replay, [try record(), second])
        let ends = (0..<3).flatMap { _ in
            let attempt = send(replayed)
            attempt.read()
            return attempt.body.ends
        }
        #expect(ends == ["complete", "failed", "failed"])
    }

    @Test func missNamesDifferencesWithoutContent() throws {
        let attempt = send(
            upstream(.replay, [try record()]), RecordingTests.body("a secret question", extra: #","seed":77"#))
        #expect(attempt.error?.kind == .notRecorded)
        let detail = attempt.error?.detail ?? ""
        #expect(detail.contains("the nearest is 0.cassette, which differs in messages, seed"), "\(detail)")
        #expect(!detail.contains("secret question") && !detail.contains("77"), "\(detail)")
        let other = send(upstream(.replay, [try record()]), path: "/v1/embeddings")
        #expect(other.error?.detail.hasSuffix("none is of its route") == true)
    }

    @Test func ignoredMembersMakeNoDifference() throws {
        let recorded = try record(body: RecordingTests.body(extra: #","user":"a""#))
        let attempt = send(
            upstream(.replay, [recorded], ignoring: ["user"]), RecordingTests.body(extra: #","user":"b""#))
        #expect(attempt.response != nil)
    }

    @Test func missIsSentAndRecordedOnRequest() throws {
        let recorded = try record()
        let mixed = upstream(.recordOnMiss, [recorded])
        let (count, kept) = (transport.calls.count, written.files.count)
        #expect(send(mixed).response != nil && transport.calls.count == count)
        let new = send(mixed, RecordingTests.body("new"))
        transport.calls.last?.respond()
        new.read()
        transport.calls.last?.body.send(RecordingTests.stream[2])
        transport.calls.last?.body.finish()
        #expect(transport.calls.count == count + 1 && written.files.count == kept + 1)
        // A recording of a cancelled response would replay only its beginning.
        let left = send(mixed, RecordingTests.body("left"))
        transport.calls.last?.respond()
        left.read()
        left.source?.cancel()
        #expect(written.files.count == kept + 1)
    }

    @Test(arguments: [
        ("/v1/chat/completions", "application/json", #"{"error":{"message":"busy"}}"#),
        ("/v1/chat/completions", "application/json", #"{"choices":[]}"#),
        ("/v1/chat/completions", "text/html; charset=utf-8", "<html>Sign in</html>"),
        ("/v1/chat/completions", "text/plain", "Sign in"), ("/v1/embeddings", "application/json", #"{"error":"busy"}"#),
        ("/v1/chat/completions", "text/event-stream", #"data: {"choices":[{"delta":{"content":"a"}}]}"#),
        ("/v1/chat/completions", "text/event-stream", "data: {\"error\":{}}\n\ndata: [DONE]\n\n"),
        ("/v1/messages", "text/event-stream", #"data: {"type":"message_start"}"#),
        ("/v1/messages", "application/json", #"{"type":"error","error":{}}"#),
        ("/v1/responses", "text/event-stream", #"data: {"type":"response.failed","response":{"status":"failed"}}"#),
        ("/v1/responses", "application/json", #"{"status":"queued","error":null}"#),
    ])
    func nonResponseIsNotRecordedPermanently(_ path: String, _ type: String, _ body: String) {
        #expect(!isKept(path, type, body))
    }

    @Test(arguments: [
        ("/v1/chat/completions", "application/json", #"{"choices":[{"finish_reason":"stop"}]}"#),
        ("/v1/chat/completions", "text/event-stream", #"data: {"choices":[{"finish_reason":"stop"}]}"#),
        ("/v1/messages", "text/event-stream", "event: message_stop\r\ndata: {\"type\":\"message_stop\"}\r\n\r\n"),
        ("/v1/messages", "application/json", #"{"type":"message","stop_reason":"end_turn"}"#),
        (
            "/v1/responses", "text/event-stream",
            #"data:{"type":"response.completed","response":{"status":"completed"}}"#
        ),
        ("/v1/responses", "application/json", #"{"status":"incomplete","error":null}"#),
        ("/v1/embeddings", "application/json", #"{"data":[]}"#), ("/v1/audio/speech", "audio/mpeg", "x"),
    ])
    func wholeResponseIsRecorded(_ path: String, _ type: String, _ body: String) { #expect(isKept(path, type, body)) }

    private func isKept(_ path: String, _ type: String, _ body: String) -> Bool {
        let attempt = send(upstream(.recordOnMiss), path: path)
        transport.calls.last?.respond(type: type)
        attempt.read()
        transport.calls.last?.body.send(body)
        transport.calls.last?.body.finish()
        return !written.files.isEmpty
    }

    @Test func surrogateHalvesDistinguishRequests() throws {
        let replayed = upstream(.replay, [try record(body: RecordingTests.body(#"\ud800"#))])
        #expect(send(replayed, RecordingTests.body(#"\ud800"#)).response != nil)
        #expect(send(replayed, RecordingTests.body(#"\ud801"#)).error?.kind == .notRecorded)
    }

    @Test func replayOfADepartureStalls() throws {
        let attempt = send(upstream(.record))
        transport.calls.last?.respond()
        let source = try #require(attempt.source)
        source.start(attempt.body)
        transport.calls.last?.body.send("data: 1\n\n")
        source.cancel()
        let cassette = try #require(written.files.last?.cassette)
        #expect(cassette.end.kind == .abandoned)
        let again = send(upstream(.replay, [cassette]))
        again.read()
        #expect(again.body.text == "data: 1\n\n" && again.body.ends.isEmpty)
    }

    @Test func bodiesAreLeftOutOnDemand() throws {
        let attempt = send(upstream(.record, bodies: false))
        transport.calls.last?.respond()
        attempt.read()
        transport.calls.last?.body.send("data: 1\n\n")
        transport.calls.last?.body.finish()
        let cassette = try #require(written.files.last?.cassette)
        #expect(cassette.request.body == .leftOut(RecordingTests.body().utf8.count) && cassette.digest != nil)
        #expect(cassette.response?.chunks.map(\.content) == [.leftOut(9)])
        #expect(send(upstream(.replay, [cassette])).error?.kind == .notRecorded)
    }

    @Test func requestWithARedactedSecretIsStillFound() throws {
        let recorded = try Cassette(text: try record(body: RecordingTests.body(RecordingTests.key)).text)
        #expect(!String(decoding: recorded.text, as: UTF8.self).contains(RecordingTests.key))
        #expect(send(upstream(.replay, [recorded]), RecordingTests.body(RecordingTests.key)).response != nil)
    }

    @Test func azuresPathsAreNormalized() throws {
        _ = send(upstream(.record), path: "/v1/deployments/d%2F1/chat/completions?api-version=1&key=AIzaSecret&x=1")
        transport.calls.last?.fail(.closedBeforeResponse)
        let cassette = try #require(written.files.last?.cassette)
        #expect(cassette.route == "/chat/completions?x=1")
        #expect(cassette.request.path == "/v1/deployments/d%2F1/chat/completions?api-version=1&key=***&x=1")
    }

    @Test func replayHonoursAReaderThatPausesOrLeaves() throws {
        let attempt = send(upstream(.replay, [try record()]))
        let source = try #require(attempt.source)
        source.pause()
        source.start(attempt.body)
        #expect(attempt.body.pieces.isEmpty)
        source.resume()
        #expect(attempt.body.pieces == RecordingTests.stream)
        let other = send(upstream(.replay, [try record()], pace: .recorded))
        other.work?.cancel()
        clock.advance(by: .seconds(1))
        #expect(other.error?.kind == .cancelled)
    }

    @Test(arguments: ["authorization", "x-auth-token", "x-amz-security-token", "set-cookie", "x-goog-api-key"])
    func cassettesAndInspectionMaskTheSameCredentialHeaders(name: String) throws {
        let field = HTTPField(name: try #require(HTTPField.Name(name)), value: "Basic of-someone")
        #expect(RecordingMask([]).fields([field]).isEmpty)
        #expect(SecretMask([]).value(of: field) == "***")
    }
}

/// A sink that stores recordings in memory.
final class WrittenCassettes: CassetteSink {
    private let all = Locked<[CassetteFile]>([])
    private let lost = Locked(0)

    var files: [CassetteFile] { all.withLock { $0 } }
    var drops: Int { lost.withLock { $0 } }

    func write(_ make: @escaping @Sendable () -> CassetteFile?) {
        guard let file = make() else { return }
        all.withLock { $0.append(file) }
    }

    func drop() { lost.withLock { $0 += 1 } }
}
