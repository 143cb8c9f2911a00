import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import Testing

@testable import HeadgateUpstream

/// Requests whose bodies are sent as they arrive, over real sockets.
@Suite struct RequestUploadTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A body that a test sends.
    fileprivate final class Source: BodySource {
        private(set) var calls: [String] = []
        private var sink: (any BodySink)?
        var bytesAreProgress = true

        var isPaused: Bool { calls.last == "pause" }

        func start(_ sink: any BodySink) {
            calls.append("start")
            self.sink = sink
        }

        func send(_ text: String) { Array(text.utf8).withUnsafeBytes { sink?.receive($0) } }

        func end(_ error: (any Error)? = nil) {
            let sink = sink
            self.sink = nil
            if let error { sink?.fail(error) } else { sink?.finish(.complete) }
        }

        func pause() { calls.append("pause") }
        func resume() { calls.append("resume") }
        func note(_: BodyProgress) {}
        func discardRest() { cancel() }

        func cancel() {
            calls.append("cancel")
            sink = nil
        }
    }

    @Test(arguments: [11, nil]) func bodyIsSentAsItArrives(_ length: Int?) async throws {
        try await HandPlayedUpstream.run(
            playing: .init { if $0.text.hasSuffix("world") || $0.text.hasSuffix("0\r\n\r\n") { $0.send(Self.answer) } }
        ) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: length))
            await upstream.wait(for: "the start") { source.calls == ["start"] }
            source.send("hello ")
            await upstream.wait(for: "a part") { upstream.peers.first?.text.contains("hello ") == true }
            #expect(upload.result == nil)
            source.send("world")
            source.end()
            await upstream.wait(for: "the response") { upload.status == 200 }
            let text = upstream.peers[0].text
            if let length {
                #expect(text.hasSuffix("Content-Length: \(length)\r\n\r\nhello world"))
            } else {
                #expect(text.hasSuffix("Transfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n"))
            }
        }
    }

    @Test func stalledUpstreamPausesTheSource() async throws {
        try await HandPlayedUpstream.run(playing: .init { $0.stopReading() }) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: nil))
            await upstream.wait(for: "the head") { upstream.peers.first?.text.isEmpty == false }
            let piece = String(repeating: "x", count: 64 << 10)
            var sent = 0
            while !source.isPaused, sent < 64 << 20 {
                source.send(piece)
                sent += piece.utf8.count
                await upstream.turn()
            }
            #expect(source.isPaused && sent < 64 << 20)
            let peer = upstream.peers[0]
            peer.play = { _ in }
            peer.startReading()
            await upstream.wait(for: "more") { source.calls == ["start", "pause", "resume"] }
            upload.cancel()
            #expect(source.calls.last == "cancel" && upload.failure == .cancelled)
            await upstream.expectEnd(of: peer)
        }
    }

    @Test(arguments: [4, 6]) func sourceOfAnotherLengthIsAnIncompleteRequest(_ length: Int) async throws {
        try await HandPlayedUpstream.run(playing: .init { _ in }) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: length))
            await upstream.wait(for: "the start") { source.calls == ["start"] }
            source.send("12345")
            source.end()
            #expect(upload.failure == .cancelled)
            if let peer = upstream.peers.first { await upstream.expectEnd(of: peer) }
        }
    }

    @Test func failingSourceEndsTheRequest() async throws {
        try await HandPlayedUpstream.run(playing: .init { _ in }) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: nil))
            await upstream.wait(for: "the head") { upstream.peers.first?.text.isEmpty == false }
            source.send("part")
            source.end(TransportError(.truncatedBody))
            #expect(upload.failure == .cancelled)
            await upstream.expectEnd(of: upstream.peers[0])
            #expect(!upstream.peers[0].text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func refusalBeforeTheEndStopsTheSource() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { if !$0.hasAnswered { $0.send("HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno") } }
        ) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: 100))
            await upstream.wait(for: "the refusal") { upload.status == 413 }
            #expect(source.calls == ["start", "cancel"])
            await upstream.expectEnd(of: upstream.peers[0])
        }
    }

    @Test func responseBeforeTheEndWaitsForIt() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { peer in
                if !peer.hasAnswered { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nearly") }
                if peer.text.hasSuffix("0\r\n\r\n") { peer.send("-late") }
            }
        ) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: nil))
            await upstream.wait(for: "the response") { upstream.peers.first?.hasAnswered == true }
            for _ in 0..<5 { await upstream.turn() }
            #expect(upload.result == nil)
            source.send("x")
            source.end()
            await upstream.wait(for: "the head") { upload.status == 200 }
            let text = try await upload.text()
            #expect(text == "early-late")
        }
    }

    @Test func responseCompletedBeforeTheUploadIsDelivered() async throws {
        try await HandPlayedUpstream.run(playing: .init { if !$0.hasAnswered { $0.send(Self.answer) } }) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: 100))
            await upstream.wait(for: "the response") { upload.status == 200 }
            #expect(source.calls == ["start", "cancel"])
            let text = try await upload.text()
            #expect(text == "ok")
            await upstream.expectEnd(of: upstream.peers[0])
        }
    }

    @Test func responseTruncatedBeforeTheUploadEndsIsAFailure() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { peer in
                guard !peer.hasAnswered else { return }
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nearly")
                peer.endOutput()
            }
        ) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: 100))
            await upstream.wait(for: "the response") { upload.status == 200 }
            await #expect(throws: TransportError.self) { try await upload.text() }
            #expect(source.calls == ["start", "cancel"])
        }
    }

    @Test(arguments: [true, false]) func onlyARecentlyUsedConnectionIsReused(_ isFresh: Bool) async throws {
        try await HandPlayedUpstream.run(
            playing: .init { peer in
                if peer.text.hasSuffix("\r\n\r\nx") { return peer.send(Self.answer) }
                if peer.index == 0, !peer.hasAnswered { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok") }
            }
        ) { upstream in
            let answer = try await upstream.ask()
            let connection = try #require(answer.transfer?.connection)
            upstream.peers[0].send("ok")
            _ = try await answer.text()
            if !isFresh { connection.restingSince = 0 }
            let upload = await upstream.sendOne()
            await upstream.wait(for: "the response") { upload.status == 200 }
            #expect(upstream.peers.count == (isFresh ? 1 : 2))
        }
    }

    @Test func uploadsLeaveOneIdleConnection() async throws {
        try await HandPlayedUpstream.run(playing: .init { _ in }) { upstream in
            let uploads = [await upstream.sendOne(), await upstream.sendOne(), await upstream.sendOne()]
            await upstream.wait(for: "the requests") { upstream.peers.filter { $0.text.hasSuffix("x") }.count == 3 }
            for (upload, peer) in zip(uploads, upstream.peers) {
                peer.send(Self.answer)
                await upstream.wait(for: "the response") { upload.status == 200 }
            }
            await upstream.expectEnd(of: upstream.peers[1])
            await upstream.expectEnd(of: upstream.peers[2])
            #expect(!upstream.peers[0].isGone)
        }
    }

    @Test func uploadIsNotResentAfterAReusedConnectionDied() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { if $0.hasAnswered { $0.endOutput() } else { $0.send(Self.answer) } }
        ) { upstream in
            try await upstream.expectAnswer()
            let upload = await upstream.sendOne()
            await upstream.wait(for: "the failure") { upload.failure == .closedBeforeResponse }
            #expect(upstream.peers.count == 1)
        }
    }

    @Test func silenceOfBothSidesHasADeadline() async throws {
        let timeouts = TransferTimeouts(firstByte: .milliseconds(50))
        try await HandPlayedUpstream.run(playing: .init { _ in }, timeouts: timeouts) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: 100))
            await upstream.wait(for: "the deadline") { upload.failure == .responseTimeout }
            #expect(source.calls == ["start", "cancel"])
        }
    }

    /// A whole upload waits for a response as long as the request allows, even beyond the usual deadline.
    @Test func patientRequestWaitsBeyondTheDeadline() async throws {
        let timeouts = TransferTimeouts(firstByte: .milliseconds(5))
        try await HandPlayedUpstream.run(playing: .init { _ in }, timeouts: timeouts) { upstream in
            let head = OutgoingHead(HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: "/v1/x"))
            var request = UpstreamRequest(head, body: [0x78], operationID: "x")
            request.patience = 600_000_000_000
            let patient = BegunUpload()
            patient.work = upstream.send(request) { patient.result = $0 }
            await upstream.wait(for: "the request") { upstream.peers.first?.text.hasSuffix("x") == true }
            for _ in 0..<30 { await upstream.turn() }
            #expect(patient.result == nil)
            upstream.peers[0].send(Self.answer)
            await upstream.wait(for: "the response") { patient.status == 200 }
        }
    }

    @Test func missingUpstreamDoesNotStartTheSource() async throws {
        try await HandPlayedUpstream.run(playing: .init { _ in }) { upstream in
            let source = Source()
            let upload = upstream.begin(StreamedBody(source, length: 100), port: 1)
            await upstream.wait(for: "the failure") { upload.failure == .connect }
            #expect(source.calls == [])
        }
    }
}

/// A request whose body is being sent.
private final class BegunUpload {
    var result: Result<UpstreamResponse, TransportError>?
    var work: (any Cancellable)?

    var status: Int? { (try? result?.get())?.head.status }
    var failure: TransportError.Kind? { if case .failure(let error)? = result { error.kind } else { nil } }

    func cancel() { work?.cancel() }

    func text() async throws -> String {
        String(decoding: try await result?.get().body?.collect(upTo: .max) ?? [], as: UTF8.self)
    }
}

extension HandPlayedUpstream.Peer {
    fileprivate var text: String { String(decoding: received, as: UTF8.self) }
}

extension HandPlayedUpstream {
    /// - Parameter port: port of the upstream; nil for this one.
    fileprivate func begin(_ body: StreamedBody, port: UInt16? = nil) -> BegunUpload {
        let upload = BegunUpload()
        let head = OutgoingHead(HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: "/v1/x"))
        upload.work = send(UpstreamRequest(head, streaming: body, operationID: "x"), port: port) { upload.result = $0 }
        return upload
    }

    /// Sends a request with a streamed body of one byte.
    fileprivate func sendOne() async -> BegunUpload {
        let source = RequestUploadTests.Source()
        let upload = begin(StreamedBody(source, length: 1))
        await wait(for: "the start") { source.calls == ["start"] }
        source.send("x")
        source.end()
        return upload
    }
}
