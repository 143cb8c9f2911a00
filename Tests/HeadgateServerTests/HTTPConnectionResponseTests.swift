import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateServer
import Testing

/// Framing, counts and lifetime of the responses on a connection.
@Suite struct HTTPConnectionResponseTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func post(_ length: Int) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
    }

    /// Context and streamed response of the last request, which are on the loop.
    private final class Noted: Sendable {
        private let context = Locked<LoopBound<any RequestContext>?>(nil)
        private let body = Locked<LoopBound<PlayedBody>?>(nil)
        private let arrival = Locked<LoopBound<() -> Void>?>(nil)

        /// Checks the awaited condition of the client at each request.
        func notify(_ client: HandPlayedServer) {
            let look = LoopBound({ [weak client] in if let client { client.look() } }, on: client.loop)
            arrival.withLock { $0 = look }
        }

        func note(_ request: HandPlayedServer.Request) {
            context.withLock { $0 = LoopBound(request.metadata.context, on: EventLoop.current) }
            arrival.withLock { $0 }?.value()
        }

        func stream(_ request: HandPlayedServer.Request) {
            note(request)
            let body = PlayedBody()
            self.body.withLock { $0 = LoopBound(body, on: EventLoop.current) }
            request.answer(200, .stream(body))
        }

        var response: PlayedBody? { body.withLock { $0 }?.value }
        var ends: [String]? { (context.withLock { $0 }?.value as? NotedContext)?.ends }

        func whenOver(_ action: @escaping () -> Void) {
            (context.withLock { $0 }?.value as? NotedContext)?.whenOver = action
        }

        /// End of the request with its counts, without the largest queue.
        var end: String? {
            ends?.last.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        }
    }

    // MARK: Framing

    @Test(arguments: [204, 304])
    func bodylessStatusHasNeitherLengthNorBody(_ status: Int) async throws {
        try await HandPlayedServer.run(answering: .init { $0.answer(status, .bytes(Array("text".utf8))) }) { client in
            client.send(Self.request)
            await client.wait(for: "the head") { client.text.hasSuffix("\r\n\r\n") }
            #expect(!client.text.lowercased().contains("content-length"))
            client.send(Self.request)
            await client.wait(for: "another head") { client.text.split(separator: "HTTP/1.1 \(status) ").count == 2 }
            #expect(!client.text.contains("text"))
        }
    }

    @Test func wholeResponseToAHeadRequestHasALengthAndNoBody() async throws {
        let noted = Noted()
        let script = HandPlayedServer.Script { request in
            noted.note(request)
            request.answer(200, .bytes(Array("seven b".utf8)))
        }
        try await HandPlayedServer.run(answering: script) { client in
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            await client.wait(for: "the head") { client.text.hasSuffix("\r\n\r\n") }
            #expect(client.text.contains("Content-Length: 7\r\n") && noted.end == "finished 0 0")
        }
    }

    /// The end of the connection is the end of an unframed body.
    @Test(arguments: [("1.0", true), ("1.1", false)])
    func brokenStreamDoesNotLookWhole(_ version: String, _ isReset: Bool) async throws {
        let noted = Noted()
        try await HandPlayedServer.run(answering: .init { noted.stream($0) }) { client in
            client.send("GET / HTTP/\(version)\r\nHost: a\r\n\r\n")
            await client.wait(for: "the stream") { noted.response?.sink != nil }
            noted.response?.deliver("abc")
            await client.wait(for: "a piece") { client.text.contains("abc") }
            noted.response?.fail()
            await client.wait(for: "the end") { client.isGone }
            #expect(client.wasReset == isReset && !client.text.hasSuffix("0\r\n\r\n"))
            #expect(noted.end == "upstreamFailed 0 3")
        }
    }

    @Test func streamOfAHeadRequestIsCancelledUnread() async throws {
        let noted = Noted()
        try await HandPlayedServer.run(answering: .init { noted.stream($0) }) { client in
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            await client.wait(for: "the head") { client.text.hasSuffix("\r\n\r\n") }
            #expect(client.text.contains("Transfer-Encoding: chunked\r\n") && noted.response?.sink == nil)
            #expect(noted.end == "finished 0 0")
        }
    }

    @Test func streamToAnOldClientIsUnframedAndCounted() async throws {
        let noted = Noted()
        try await HandPlayedServer.run(answering: .init { noted.stream($0) }) { client in
            client.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n")
            await client.wait(for: "the stream") { noted.response?.sink != nil }
            noted.response?.deliver("seven b")
            noted.response?.deliver("ytes")
            noted.response?.finish(.complete)
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasSuffix("\r\n\r\nseven bytes") && noted.end == "finished 0 11")
        }
    }

    @Test func chunksAreCountedWithoutTheirFraming() async throws {
        let noted = Noted()
        try await HandPlayedServer.run(answering: .init { noted.stream($0) }) { client in
            client.send(Self.request)
            await client.wait(for: "the stream") { noted.response?.sink != nil }
            noted.response?.deliver("abc")
            noted.response?.finish(.complete)
            await client.wait(for: "the end") { client.text.hasSuffix("3\r\nabc\r\n0\r\n\r\n") }
            #expect(noted.end == "finished 0 3" && !client.isGone)
        }
    }

    // MARK: Request bodies

    @Test func bodyInPiecesIsCounted() async throws {
        let noted = Noted()
        let script = HandPlayedServer.Script { request in
            noted.note(request)
            request.metadata.bodyLimit = 6
            request.body?.collect(upTo: 6) { _ in request.answer(200, .bytes([0x61])) }
        }
        try await HandPlayedServer.run(answering: script) { client in
            noted.notify(client)
            client.send(Self.post(6) + "abc")
            await client.wait(for: "the request") { noted.ends != nil }
            client.send("def")
            await client.wait(for: "the response") { client.text.hasSuffix("\r\n\r\na") }
            #expect(noted.end == "finished 6 1")
        }
    }

    @Test(arguments: [(6, true), (7, false)])
    func bodyPassesAtItsLimitAndNotBeyond(_ length: Int, _ passes: Bool) async throws {
        let script = HandPlayedServer.Script { request in
            request.metadata.bodyLimit = 6
            request.body?.collect(upTo: 6) { result in
                guard case .success(let bytes) = result else { return request.answer(413, nil) }
                request.answer(200, .bytes(bytes))
            }
        }
        try await HandPlayedServer.run(answering: script) { client in
            client.send(Self.post(length) + String(repeating: "b", count: length))
            await client.wait(for: "the response") { client.text.contains("\r\n\r\n") }
            #expect(client.text.hasPrefix(passes ? "HTTP/1.1 200 " : "HTTP/1.1 413 "))
        }
    }

    @Test(arguments: [true, false])
    func unreadBodyEndsTheConnectionAfterTheResponse(_ isUnread: Bool) async throws {
        try await HandPlayedServer.run(answering: .init { $0.answer(200, .bytes(Array("whole".utf8))) }) { client in
            client.send(isUnread ? Self.post(10) + "abc" : Self.request)
            await client.wait(for: "the response") { client.text.hasSuffix("whole") }
            #expect(client.text.lowercased().contains("connection: close") == isUnread)
            guard !isUnread else { return await client.wait(for: "the end") { client.isGone } }
            client.send(Self.request)
            await client.wait(for: "another response") { client.text.split(separator: "HTTP/1.1 200 ").count == 2 }
        }
    }

    /// More bytes than a client may send ahead stop the reading until the body is taken.
    @Test func largeBodyThatIsTakenWholeDoesNotStopTheNextRequest() async throws {
        var limits = ServerLimits()
        limits.pipelinedBytes = 10
        let script = HandPlayedServer.Script { request in
            request.metadata.bodyLimit = 100
            guard let body = request.body else { return request.answer(200, nil) }
            body.collect(upTo: 100) { _ in request.answer(200, nil) }
        }
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send(Self.post(50) + String(repeating: "b", count: 50))
            await client.wait(for: "the response") { client.text.hasPrefix("HTTP/1.1 200 ") }
            client.send(Self.request)
            await client.wait(for: "another response") { client.text.split(separator: "HTTP/1.1 200 ").count == 2 }
        }
    }

    // MARK: Pipelined requests

    @Test(arguments: [(2, 2), (3, 1)])
    func oneRequestMayBeSentAhead(_ sent: Int, _ answered: Int) async throws {
        let count = Locked(0)
        let script = HandPlayedServer.Script { request in
            count.withLock { $0 += 1 }
            request.answer(200, .bytes([0x61]))
        }
        try await HandPlayedServer.run(answering: script) { client in
            client.send(String(repeating: Self.request, count: sent))
            await client.wait(for: "the responses") {
                client.isGone || sent == 2 && client.text.split(separator: "HTTP/1.1 200 ").count == 2
            }
            #expect(count.withLock { $0 } == answered && client.isGone == (sent == 3))
        }
    }

    @Test(arguments: [(100, false), (101, true)])
    func bytesSentAheadHaveALimit(_ ahead: Int, _ isRefused: Bool) async throws {
        var limits = ServerLimits()
        limits.pipelinedBytes = 100
        let noted = Noted()
        try await HandPlayedServer.run(limits, answering: .init { noted.stream($0) }) { client in
            client.send(Self.request + String(repeating: "x", count: ahead))
            await client.wait(for: "the head or the end") { client.isGone || noted.response?.sink != nil }
            #expect(client.isGone == isRefused)
        }
    }

    // MARK: Silence

    @Test func silentStreamHasHeartbeatsUntilItsEnd() async throws {
        var limits = ServerLimits()
        limits.heartbeatInterval = .milliseconds(20)
        let noted = Noted()
        var script = HandPlayedServer.Script { noted.stream($0) }
        script.heartbeat = Array(":b".utf8)
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send(Self.request)
            await client.wait(for: "two heartbeats") { client.text.ranges(of: "2\r\n:b\r\n").count >= 2 }
            noted.response?.finish(.complete)
            await client.wait(for: "the end") { client.text.hasSuffix("\r\n0\r\n\r\n") }
            client.send(Self.request)
            await client.wait(for: "another response") { client.text.split(separator: "HTTP/1.1 200 ").count == 2 }
        }
    }

    @Test func requestWithoutAResponseYetHasNoHeartbeat() async throws {
        var limits = ServerLimits()
        (limits.heartbeatInterval, limits.headTimeout) = (.milliseconds(5), .milliseconds(5))
        let waiting = Locked<LoopBound<any Cancellable>?>(nil)
        var script = HandPlayedServer.Script { request in
            let later = request.metadata.after(.milliseconds(60)) { request.answer(200, .bytes([0x61])) }
            waiting.withLock { $0 = later.map { LoopBound($0, on: EventLoop.current) } }
        }
        script.heartbeat = Array(":b".utf8)
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send(Self.request)
            await client.wait(for: "the response") { client.text.hasSuffix("\r\n\r\na") || client.isGone }
            #expect(client.text.hasPrefix("HTTP/1.1 200 ") && !client.text.contains(":b"))
        }
        waiting.withLock { $0 = nil }
    }

    // MARK: Memory

    /// A client that holds half of the memory for bodies has a sixth of the write timeout.
    @Test func clientThatStallsWhileMemoryIsShortIsEndedSooner() async throws {
        var limits = ServerLimits()
        limits.writeTimeout = .seconds(6)
        let (noted, memory) = (Noted(), BodyMemory())
        let script = HandPlayedServer.Script { request in
            noted.note(request)
            let allowance = BodyAllowance(of: memory, limit: 100)
            _ = allowance.grow(to: 51)
            request.metadata.responseAllowance = allowance
            request.answer(200, .bytes([UInt8](repeating: 0x61, count: 64 << 20)))
        }
        try await HandPlayedServer.run(limits, answering: script) { client in
            noted.notify(client)
            client.stopReading()
            client.send(Self.request)
            await client.wait(for: "the request") { noted.ends != nil }
            let start = client.loop.now
            noted.whenOver { [weak client] in client?.look() }
            await client.wait(for: "the end") { noted.ends?.isEmpty == false }
            #expect(noted.ends?.first?.hasPrefix("timedOut ") == true)
            #expect(client.loop.now - start < 6_000_000_000)
        }
    }

    // MARK: Shutdown

    @Test func shutdownClosesAtRestAndFinishesWhatIsInFlight() async throws {
        let noted = Noted()
        try await HandPlayedServer.run(answering: .init { noted.stream($0) }) { client in
            client.send(Self.request)
            await client.wait(for: "the stream") { noted.response?.sink != nil }
            client.server.shutDown {}
            await Task.yield()
            noted.response?.deliver("last")
            noted.response?.finish(.complete)
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasSuffix("4\r\nlast\r\n0\r\n\r\n") && noted.end == "finished 0 4")
        }
    }

    @Test func endOfTheDrainEndsAStreamWithItsLastEvents() async throws {
        var limits = ServerLimits()
        limits.drainTimeout = .milliseconds(30)
        let noted = Noted()
        var script = HandPlayedServer.Script { noted.stream($0) }
        script.finalEvents = Array("bye".utf8)
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send(Self.request)
            await client.wait(for: "the stream") { noted.response?.sink != nil }
            client.server.shutDown {}
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasSuffix("3\r\nbye\r\n0\r\n\r\n"))
            #expect(noted.response?.sink == nil && noted.ends?.first == "drained")
        }
    }

    /// The last events wait for a client that does not read.
    @Test func drainEndsWithoutAClientThatDoesNotRead() async throws {
        var limits = ServerLimits()
        (limits.drainTimeout, limits.writeTimeout) = (.milliseconds(30), .seconds(600))
        let noted = Noted()
        var script = HandPlayedServer.Script { noted.stream($0) }
        script.finalEvents = Array("bye".utf8)
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send(Self.request)
            await client.wait(for: "the stream") { noted.response?.sink != nil }
            client.stopReading()
            let chunk = String(repeating: "x", count: 64 * 1024)
            while let body = noted.response, body.pauses == 0 { body.deliver(chunk) }
            var hasEnded = false
            let ended = LoopBound(
                { [weak client] in
                    hasEnded = true
                    client?.look()
                }, on: client.loop)
            client.server.shutDown { ended.loop.execute { ended.value() } }
            await client.wait(for: "the end of the drain") { hasEnded }
            #expect(noted.ends?.first == "drained" && client.server.openConnections == 0)
        }
    }

    @Test func connectionWithoutARequestHasAMomentAtAShutdown() async throws {
        var limits = ServerLimits()
        (limits.headTimeout, limits.drainTimeout) = (.seconds(600), .seconds(600))
        try await HandPlayedServer.run(limits, answering: .init { $0.answer(200, nil) }) { client in
            let server = client.server
            await client.wait(for: "the connection", lookingAgain: true) { server.openConnections == 1 }
            server.shutDown {}
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.isEmpty)
        }
    }

    @Test func endOfTheDrainRefusesARequestThatWaits() async throws {
        var limits = ServerLimits()
        limits.drainTimeout = .milliseconds(30)
        let noted = Noted()
        try await HandPlayedServer.run(limits, answering: .init { noted.note($0) }) { client in
            noted.notify(client)
            client.send(Self.request)
            await client.wait(for: "the request") { noted.ends != nil }
            client.server.shutDown {}
            await client.wait(for: "the end") { client.isGone }
            #expect(client.text.hasPrefix("HTTP/1.1 503 ") && client.text.lowercased().contains("connection: close"))
            #expect(noted.ends?.first == "drained")
        }
    }
}
