import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateServer
import Testing

/// Connections over real sockets.
@Suite struct HTTPConnectionTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Responds to each request with a scripted stream, and provides the last one.
    private final class Streams: Sendable {
        private let last = Locked<LoopBound<PlayedBody>?>(nil)

        func answer(_ request: HandPlayedServer.Request) {
            let body = PlayedBody()
            last.withLock { $0 = LoopBound(body, on: EventLoop.current) }
            request.answer(200, .stream(body))
        }

        var body: PlayedBody? { last.withLock { $0 }?.value }
    }

    @Test(arguments: [false, true])
    func connectionEndsOnlyAfterATruncatedResponse(_ brokeOff: Bool) async throws {
        let streams = Streams()
        try await HandPlayedServer.run(answering: .init { streams.answer($0) }) { client in
            client.send(HTTPConnectionTests.request)
            await client.wait(for: "the stream") { streams.body?.sink != nil }
            streams.body?.deliver("event")
            streams.body?.finish(brokeOff ? .completeThenClose : .complete)
            await client.wait(for: "the last chunk") { client.text.hasSuffix("\r\n0\r\n\r\n") }
            guard !brokeOff else { return await client.wait(for: "the end") { client.isGone } }
            client.send(HTTPConnectionTests.request)
            await client.wait(for: "another response") { client.text.split(separator: "HTTP/1.1 200 ").count == 2 }
            #expect(!client.isGone)
        }
    }

    @Test func anyThreadWakesARequestOnItsLoop() async throws {
        let isOnLoop = Locked<Bool?>(nil)
        let others = EventLoopGroup(count: 1)
        defer { others.stop() }
        let script = HandPlayedServer.Script { request in
            let loop = EventLoop.current
            let wake = request.metadata.waker {
                isOnLoop.withLock { $0 = loop.isCurrent }
                request.answer(200, .bytes(Array("awake".utf8)))
            }
            others.loops[0].execute { wake() }
        }
        try await HandPlayedServer.run(answering: script) { client in
            client.send(HTTPConnectionTests.request)
            await client.wait(for: "the response") { client.text.hasSuffix("awake") }
        }
        #expect(isOnLoop.withLock { $0 } == true)
    }

    @Test func sourceResumesWhenAClientReadsAgain() async throws {
        let streams = Streams()
        try await HandPlayedServer.run(answering: .init { streams.answer($0) }) { client in
            client.send(HTTPConnectionTests.request)
            await client.wait(for: "the head") { client.text.contains("\r\n\r\n") }
            let body = try #require(streams.body)
            body.whenResumed = { [unowned client] in client.look() }
            for round in 1...3 {
                client.stopReading()
                // The system's buffers take some of the bytes first.
                await client.wait(for: "a pause") {
                    let chunk = String(repeating: "x", count: 32 * 1024)
                    for _ in 0..<1024 where body.pauses < round { body.deliver(chunk) }
                    return body.pauses == round
                }
                #expect(body.resumes == round - 1)
                client.startReading()
                await client.wait(for: "going on") { body.resumes == round }
            }
        }
    }

    @Test func slowButSteadyReaderOutlivesTheWriteTimeout() async throws {
        var limits = ServerLimits()
        limits.writeTimeout = .milliseconds(600)
        let streams = Streams()
        try await HandPlayedServer.run(limits, answering: .init { streams.answer($0) }) { client in
            client.send(HTTPConnectionTests.request)
            await client.wait(for: "the head") { client.text.contains("\r\n\r\n") }
            let body = try #require(streams.body)
            client.stopReading()
            let start = client.loop.now
            // The client reads occasionally: more than nothing, and less than everything that waits.
            client.whenReceived = { [unowned client] in
                if client.loop.now - start < 2_000_000_000 { client.stopReading() }
            }
            let pace = LoopTimer(loop: client.loop)
            pace.action = { [unowned client, unowned pace] in
                client.startReading()
                pace.schedule(after: .milliseconds(20))
            }
            pace.schedule(after: .milliseconds(20))
            let chunk = String(repeating: "x", count: 64 * 1024)
            body.whenResumed = { [unowned body] in
                while body.pauses == body.resumes, body.sink != nil { body.deliver(chunk) }
            }
            body.whenResumed()
            await client.wait(for: "two seconds") {
                client.isGone || client.loop.now - start > 2_000_000_000
            }
            #expect(!client.isGone)
            body.whenResumed = {}
            body.finish(.complete)
            await client.wait(for: "the last chunk") { client.text.hasSuffix("\r\n0\r\n\r\n") || client.isGone }
            #expect(!client.isGone)
        }
    }

    @Test func crawlingBodyIsRefusedLongBeforeItsDeadline() async throws {
        var limits = ServerLimits()
        limits.bodyTimeout = .seconds(60)
        limits.bodyCheckInterval = .milliseconds(50)
        try await HandPlayedServer.run(
            limits,
            answering: .init { request in
                request.metadata.bodyLimit = 1 << 20
                request.body?.collect(upTo: .max) { result in
                    if case .failure(let error as HTTPSyntaxError) = result { request.answer(error.status, nil) }
                }
            }
        ) { client in
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
            client.send(zeros: 1000)
            await client.wait(for: "a refusal") { client.text.hasPrefix("HTTP/1.1 408 ") }
        }
    }

    @Test(arguments: [true, false]) func onlyAClientThatExpectsItIsToldToContinue(_ expects: Bool) async throws {
        let script = HandPlayedServer.Script { request in
            request.metadata.bodyLimit = 1 << 20
            guard case .stream(let source)? = request.body else { return request.answer(200, nil) }
            source.start(PausedBody(source, request))
        }
        try await HandPlayedServer.run(answering: script) { client in
            let field = expects ? "Expect: 100-continue\r\n" : ""
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\(field)\r\n")
            if expects { await client.wait(for: "the invitation") { !client.text.isEmpty } }
            client.send("abc")
            await client.wait(for: "a response") { client.text.contains("HTTP/1.1 200 ") }
            #expect(client.text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ") == expects)
            #expect(client.text.contains(" 100 ") == expects)
        }
    }

    @Test func readerPausedAtABodysEndDoesNotBlockTheNextRequest() async throws {
        let script = HandPlayedServer.Script { request in
            request.metadata.bodyLimit = 1 << 20
            guard case .stream(let source)? = request.body else { return request.answer(200, nil) }
            source.start(PausedBody(source, request))
        }
        try await HandPlayedServer.run(answering: script) { client in
            // All bytes are in one segment, so the end arrives with the last byte.
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            await client.wait(for: "a response") { client.text.hasPrefix("HTTP/1.1 200 ") }
            client.send(HTTPConnectionTests.request)
            await client.wait(for: "another response") { client.text.split(separator: "HTTP/1.1 200 ").count == 2 }
        }
    }

    /// A reader that delays a body also postpones its client's deadline.
    @Test(arguments: [true, false]) func bodyDelayedByItsReaderIsNotLate(_ isHeldUp: Bool) async throws {
        var limits = ServerLimits()
        limits.bodyTimeout = .seconds(2)
        limits.bodyCheckInterval = .milliseconds(10)
        let script = HandPlayedServer.Script { request in
            request.metadata.bodyLimit = 1 << 20
            guard case .stream(let source)? = request.body else { return }
            source.start(HeldBody(source, holdsUp: isHeldUp, request))
        }
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
            client.send(zeros: isHeldUp ? 500_000 : 1000)
            // The rest is sent shortly after the pause.
            let rest = LoopTimer(loop: client.loop) { client.send(zeros: 500_000) }
            if isHeldUp { rest.schedule(after: .milliseconds(2700)) }
            await client.wait(for: "a response") { !client.text.isEmpty }
            #expect(client.text.hasPrefix(isHeldUp ? "HTTP/1.1 200 " : "HTTP/1.1 408 "))
        }
    }

    @Test func contextReceivesTheEndOfItsRequest() async throws {
        let context = Locked<LoopBound<any RequestContext>?>(nil)
        let script = HandPlayedServer.Script { request in
            context.withLock { $0 = LoopBound(request.metadata.context, on: EventLoop.current) }
            request.metadata.bodyLimit = 10
            request.body?.collect(upTo: 10) { _ in request.answer(200, .bytes(Array("hello".utf8))) }
        }
        try await HandPlayedServer.run(answering: script) { client in
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
            await client.wait(for: "the response") { client.text.hasSuffix("\r\n\r\nhello") }
            #expect(client.text.contains("x-request-id: the-id\r\n"))
            #expect((context.withLock { $0 }?.value as? NotedContext)?.ends == ["finished 3 5 0"])
        }
    }

    /// Only a bounded number of bytes is read after the last response. Without the bound, all of them would be read
    /// while the connection lingers.
    @Test func clientSendingAfterTheLastResponseIsCutOff() async throws {
        try await HandPlayedServer.run(answering: .init { $0.answer(200, .bytes([0x61])) }) { client in
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            await client.wait(for: "the response") { client.text.hasSuffix("\r\n\r\na") }
            let flood = 256 << 20
            client.send(zeros: flood)
            await client.wait(for: "the end") { client.isGone && client.bytesSent > 64 * 1024 }
            #expect(client.bytesSent < flood)
        }
    }

    /// The client has the whole response and its end, but does not close its side.
    @Test func connectionLingersOnlyForASecond() async throws {
        try await HandPlayedServer.run(answering: .init { $0.answer(200, .bytes([0x61])) }) { client in
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasSuffix("\r\n\r\na") && client.server.openConnections == 1)
            await client.wait(for: "the server's end", lookingAgain: true) { client.server.openConnections == 0 }
        }
    }

    @Test func refusedRequestIsRecordedAsRefused() async throws {
        let context = Locked<LoopBound<any RequestContext>?>(nil)
        var script = HandPlayedServer.Script { $0.answer(200, nil) }
        script.whenRefused = { metadata in
            context.withLock { $0 = LoopBound(metadata.context, on: EventLoop.current) }
        }
        try await HandPlayedServer.run(answering: script) { client in
            client.send("GET / HTTP/1.1\nHost: a\n\n")
            await client.wait(for: "the end") { client.isGone }
            let ends = (context.withLock { $0 }?.value as? NotedContext)?.ends
            #expect(ends == ["refused", "finished 0 7 0"])
        }
    }

    @Test(arguments: [
        "HEAD / HTTP/1.1\nHost: a\n\n", "HEAD / HTTP/1.1\r\nHost : a\r\n\r\n", "\r\nHEAD / HTTP/1.1\r\nA b\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "HEAD / HTTP/3.0\r\nHost: a\r\n\r\n",
        "HEAD /\(String(repeating: "x", count: 9000)) HTTP/1.1\r\n",
    ])
    func refusedHEADRequestGetsAResponseWithoutABody(_ request: String) async throws {
        try await HandPlayedServer.run(answering: .init { $0.answer(200, nil) }) { client in
            client.send(request)
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasPrefix("HTTP/1.1 4") || client.text.hasPrefix("HTTP/1.1 505"))
            #expect(client.text.contains("Content-Length: 7\r\n"))
            #expect(client.text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func incompleteHEADRequestGetsAResponseWithoutABody() async throws {
        var limits = ServerLimits()
        limits.headTimeout = .milliseconds(100)
        try await HandPlayedServer.run(limits, answering: .init { $0.answer(200, nil) }) { client in
            client.send("HEAD / HTTP/1.1\r\nHo")
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasPrefix("HTTP/1.1 408 ") && client.text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func refusedGetRequestAfterAHeadRequestHasABody() async throws {
        try await HandPlayedServer.run(answering: .init { $0.answer(200, nil) }) { client in
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\nHost: a\n\n")
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasSuffix("\r\n\r\nrefused"))
        }
    }
}

/// A reader that pauses a body in its middle for longer than its deadline, if `holdsUp` is true.
private final class HeldBody: BodySink {
    private let source: any BodySource
    private let request: HandPlayedServer.Request
    private var holdsUp: Bool
    private var pause: (any Cancellable)?

    init(_ source: any BodySource, holdsUp: Bool, _ request: HandPlayedServer.Request) {
        self.source = source
        self.holdsUp = holdsUp
        self.request = request
    }

    func receive(_: UnsafeRawBufferPointer) {
        guard holdsUp else { return }
        holdsUp = false
        source.pause()
        // The timer fires on the loop of the source.
        nonisolated(unsafe) let source = source
        pause = request.metadata.after(.milliseconds(2500)) { source.resume() }
    }

    func finish(_: BodyEnd) { request.answer(200, nil) }
    func fail(_ error: any Error) { request.answer((error as? HTTPSyntaxError)?.status ?? 500, nil) }
}

/// A reader that pauses on every arrival and never resumes.
private final class PausedBody: BodySink {
    private let source: any BodySource
    private let request: HandPlayedServer.Request

    init(_ source: any BodySource, _ request: HandPlayedServer.Request) {
        self.source = source
        self.request = request
    }

    func receive(_: UnsafeRawBufferPointer) { source.pause() }
    func finish(_: BodyEnd) { request.answer(200, nil) }
    func fail(_ error: any Error) { request.answer(500, nil) }
}
