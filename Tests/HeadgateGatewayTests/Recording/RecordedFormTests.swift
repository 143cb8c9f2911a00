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

/// Multipart forms that are recorded and replayed.
@Suite final class RecordedFormTests {
    private let transport = ManualTransport()
    private let written = WrittenCassettes()

    private func upstream(_ mode: RecordConfiguration.Mode, _ cassettes: [Cassette] = []) -> Upstream {
        let definition = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tcp(host: "h", port: 80), pathPrefix: "/v1"),
            credential: Secret(RecordingTests.key), transport: transport)
        let files = cassettes.enumerated().map { CassetteFile(name: "\($0.offset).cassette", cassette: $0.element) }
        let shelf = Locked(CassetteShelf(files))
        let configuration = RecordConfiguration(folder: "/cassettes", mode: mode)
        let recording = Recording(
            configuration, shelf: shelf,
            recorder: mode == .replay ? nil : Recorder(configuration, definitions: [definition], sink: written),
            clock: RecordingClock(realtime: { 0 }, now: { 0 }, after: { _, _ in nil }))
        return Upstream(definition, timeouts: UpstreamTimeouts(), relaysRateLimits: true, middlewares: [recording])
    }

    private final class Attempt {
        var result: Result<UpstreamResponse, TransportError>?
        let form = ManualBody()
        let body = CollectedBody()
        var work: (any Cancellable)?

        var error: TransportError? { if case .failure(let error) = result { error } else { nil } }
        func read() { (try? result?.get())?.body?.source.start(body) }
    }

    private func send(_ upstream: Upstream, boundary: String = SampleForm.boundary) -> Attempt {
        let attempt = Attempt()
        let head = upstream.head(
            .post, path: "/v1/audio/transcriptions",
            fields: [.contentType: "multipart/form-data; boundary=\(boundary)"])
        attempt.work = upstream.send(
            UpstreamRequest(
                head, streaming: StreamedBody(attempt.form, length: nil), operationID: "createTranscription")
        ) { attempt.result = $0 }
        return attempt
    }

    /// Returns the body that the transport received.
    private func sent(_ call: ManualTransport.Call) -> CollectedBody {
        let body = CollectedBody()
        if case .stream(let form)? = call.request.body { form.source.start(body) }
        return body
    }

    private static let form = SampleForm.recording(model: "whisper-1", sound: "la\r\nla").whole

    private func record() throws -> Cassette {
        let attempt = send(upstream(.record))
        let call = try #require(transport.calls.last)
        let body = sent(call)
        for piece in [Self.form.prefix(30), Self.form.dropFirst(30)] { attempt.form.send(String(piece)) }
        attempt.form.finish()
        #expect(body.text == Self.form && body.ends == ["complete"])
        call.respond(type: "application/json")
        attempt.read()
        call.body.send(#"{"text":"la"}"#)
        call.body.finish()
        #expect(attempt.body.text == #"{"text":"la"}"#)
        return try Cassette(text: try #require(written.files.last).cassette.text)
    }

    private func replay(_ upstream: Upstream, _ form: String, boundary: String = SampleForm.boundary) -> Attempt {
        let attempt = send(upstream, boundary: boundary)
        attempt.form.send(String(form.prefix(40)))
        attempt.form.send(String(form.dropFirst(40)))
        attempt.form.finish()
        attempt.read()
        return attempt
    }

    @Test func formIsRecordedInTransitAndReplayedWithAnyBoundary() throws {
        let cassette = try record()
        #expect(cassette.request.body == .bytes(Array(Self.form.utf8)) && cassette.operation == "createTranscription")
        let replayed = upstream(.replay, [cassette])
        let other = Self.form.replacing(SampleForm.boundary, with: "another")
        for (form, boundary) in [(Self.form, SampleForm.boundary), (other, "another"), (other, "\"another\"")] {
            #expect(replay(replayed, form, boundary: boundary).body.text == #"{"text":"la"}"#)
        }
        #expect(transport.calls.count == 1)
    }

    @Test func otherFormIsAMiss() throws {
        let replayed = upstream(.replay, [try record()])
        let miss = replay(replayed, Self.form.replacing("la\r\nla", with: "li"))
        #expect(miss.error?.kind == .notRecorded)
        #expect(miss.error?.detail.contains("the nearest is 0.cassette, which differs in its body") == true)
    }

    @Test func missIsSentWholeAndRecordedOnRequest() throws {
        let mixed = upstream(.recordOnMiss, [try record()])
        #expect(replay(mixed, Self.form).body.text == #"{"text":"la"}"# && transport.calls.count == 1)
        let form = Self.form.replacing("whisper-1", with: "whisper-2")
        let attempt = replay(mixed, form)
        let call = try #require(transport.calls.last)
        guard case .bytes(let bytes)? = call.request.body else {
            Issue.record("the form was not sent")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == form && transport.calls.count == 2)
        call.respond(type: "application/json")
        attempt.read()
        call.body.send("{}")
        call.body.finish()
        #expect(written.files.last?.cassette.request.body == .bytes(Array(form.utf8)))
    }

    @Test func truncatedFormFailsAndIsNotSent() throws {
        let attempt = send(upstream(.recordOnMiss))
        attempt.form.send("--x")
        attempt.form.fail(.truncatedBody)
        #expect(attempt.error?.kind == .truncatedBody && transport.calls.isEmpty)
    }

    @Test func disconnectEndsReading() {
        let attempt = send(upstream(.replay))
        attempt.form.send("--x")
        attempt.work?.cancel()
        #expect(attempt.error?.kind == .cancelled && attempt.form.calls.contains("cancel"))
    }

    @Test func laterDepartureEndsTheRest() throws {
        let attempt = send(upstream(.recordOnMiss))
        attempt.form.send(Self.form)
        attempt.form.finish()
        attempt.work?.cancel()
        #expect(transport.calls.last?.isCancelled == true && attempt.error?.kind == .cancelled)
    }
}
