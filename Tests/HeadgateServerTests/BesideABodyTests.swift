import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgatePrimitives
import HeadgateServer
import Testing

/// Events on a connection while a request's body has not been read to its end.
@Suite struct BesideABodyTests {
    /// A request whose body can be paused while a response streams.
    private final class Exchange: BodySink {
        let context: NotedContext?
        let response = PlayedBody()
        private let source: (any BodySource)?
        private let pausesAtOnce: Bool

        init(_ request: HandPlayedServer.Request, reads: Bool, pausesAtOnce: Bool) {
            context = request.metadata.context as? NotedContext
            request.metadata.bodyLimit = 1 << 20
            self.pausesAtOnce = pausesAtOnce
            source = if case .stream(let source)? = request.body { source } else { nil }
            if reads { source?.start(self) }
            request.answer(200, .stream(response))
        }

        func receive(_: UnsafeRawBufferPointer) { if pausesAtOnce { source?.pause() } }
        func finish(_: BodyEnd) {}
        func fail(_: any Error) {}

        /// End of the request, without the counts after it.
        var end: Substring? { context?.ends.last?.prefix { $0 != " " } }
    }

    private final class Exchanges: Sendable {
        private let last = Locked<LoopBound<Exchange>?>(nil)

        func script(reads: Bool = true, pausesAtOnce: Bool) -> HandPlayedServer.Script {
            .init { [self] request in
                let exchange = Exchange(request, reads: reads, pausesAtOnce: pausesAtOnce)
                last.withLock { $0 = LoopBound(exchange, on: EventLoop.current) }
            }
        }

        /// Returns the exchange once the head of its response has arrived, and watches its end. This object does not
        /// retain the exchange, because its source refers to the server and the server to this object.
        func begun(_ client: HandPlayedServer) async throws -> Exchange {
            await client.wait(for: "the head") { client.text.contains("\r\n\r\n") }
            let begun = last.withLock { $0.take() }
            let exchange = try #require(begun?.value)
            exchange.context?.whenOver = { [weak client] in client?.look() }
            return exchange
        }
    }

    private static func request(_ version: String, _ length: Int) -> String {
        "POST / HTTP/\(version)\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
    }

    /// Responds with more bytes than the kernel takes.
    private func fill(_ exchange: Exchange) {
        let chunk = String(repeating: "x", count: 64 * 1024)
        let response = exchange.response
        response.whenResumed = { [unowned response] in
            while response.pauses == response.resumes, response.sink != nil { response.deliver(chunk) }
        }
        response.whenResumed()
    }

    @Test(arguments: ["1.0", "1.1"], [true, false])
    func stalledReaderIsLateWhileItsBodyIsRead(_ version: String, _ isPaused: Bool) async throws {
        var limits = ServerLimits()
        limits.writeTimeout = .milliseconds(50)
        limits.bodyTimeout = .seconds(300)
        let exchanges = Exchanges()
        try await HandPlayedServer.run(limits, answering: exchanges.script(pausesAtOnce: isPaused)) { client in
            client.send(Self.request(version, 100_000) + "abc")
            let exchange = try await exchanges.begun(client)
            client.stopReading()
            fill(exchange)
            await client.wait(for: "the end") { exchange.end != nil }
            #expect(exchange.end == "timedOut")
        }
    }

    @Test func endOfABodyDoesNotExcuseAStalledReader() async throws {
        var limits = ServerLimits()
        limits.writeTimeout = .milliseconds(200)
        let exchanges = Exchanges()
        try await HandPlayedServer.run(limits, answering: exchanges.script(pausesAtOnce: false)) { client in
            client.send(Self.request("1.1", 6) + "abc")
            let exchange = try await exchanges.begun(client)
            client.stopReading()
            fill(exchange)
            client.send("def")
            await client.wait(for: "the end") { exchange.end != nil }
            #expect(exchange.end == "timedOut")
        }
    }

    @Test func readerIsWatchedAgainAfterAnIdleTime() async throws {
        var limits = ServerLimits()
        (limits.writeTimeout, limits.heartbeatInterval) = (.milliseconds(200), .seconds(600))
        let exchanges = Exchanges()
        try await HandPlayedServer.run(limits, answering: exchanges.script(pausesAtOnce: false)) { client in
            client.send(Self.request("1.1", 3) + "abc")
            let exchange = try await exchanges.begun(client)
            exchange.response.deliver("x")
            await client.wait(for: "a piece") { client.text.hasSuffix("1\r\nx\r\n") }
            client.stopReading()
            fill(exchange)
            await client.wait(for: "the end") { exchange.end != nil }
            #expect(exchange.end == "timedOut")
        }
    }

    /// Whether the client leaves with a reset. The portable build notices a departure without one only after the last
    /// byte of the body.
    private static let waysToLeave = getenv("HEADGATE_PORTABLE") == nil ? [true, false] : [true]

    /// The body is paused, or it has no reader and fills its buffer.
    @Test(arguments: [true, false], waysToLeave)
    func disconnectIsNoticedWhileNothingIsRead(_ isPaused: Bool, _ resets: Bool) async throws {
        var limits = ServerLimits()
        limits.departureCheckInterval = .milliseconds(10)
        let exchanges = Exchanges()
        let script = exchanges.script(reads: isPaused, pausesAtOnce: true)
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send(Self.request("1.1", 1_000_000) + "abc")
            let exchange = try await exchanges.begun(client)
            // Unread bytes must leave room in the socket for the end after them.
            client.send(zeros: isPaused ? 20_000 : 100_000)
            await client.wait(for: "the octets on their way") { client.hasSentAll }
            if resets { client.reset() } else { client.close() }
            await client.wait(for: "the end") { exchange.end != nil }
            #expect(exchange.end == "clientGone")
        }
    }

    /// Everything in the socket has been read, but the end of the body has not arrived.
    @Test(arguments: waysToLeave)
    func clientThatLeavesInTheMiddleOfAChunkedBodyIsNoticed(_ resets: Bool) async throws {
        var limits = ServerLimits()
        limits.departureCheckInterval = .milliseconds(10)
        let exchanges = Exchanges()
        try await HandPlayedServer.run(limits, answering: exchanges.script(pausesAtOnce: true)) { client in
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            let exchange = try await exchanges.begun(client)
            if resets { client.reset() } else { client.close() }
            await client.wait(for: "the end") { exchange.end != nil }
            #expect(exchange.end == "clientGone")
        }
    }

    /// The client has closed its sending direction and waits for the response. The rest of its body is in the socket,
    /// because it is paused, or because it has no reader and fills its buffer.
    @Test(arguments: [true, false]) func halfClosedClientIsServedWhileItsBodyWaits(_ isPaused: Bool) async throws {
        var limits = ServerLimits()
        limits.departureCheckInterval = .milliseconds(1)
        let exchanges = Exchanges()
        let script = exchanges.script(reads: isPaused, pausesAtOnce: true)
        let rest = isPaused ? 20_000 : 100_000
        try await HandPlayedServer.run(limits, answering: script) { client in
            client.send(Self.request("1.1", rest + 3) + "abc")
            let exchange = try await exchanges.begun(client)
            client.send(zeros: rest)
            client.endOutput()
            await client.wait(for: "the octets on their way") { client.hasSentAll }
            // The server checks the connection several times before the response.
            let looks = LoopTimer(loop: client.loop) { exchange.response.deliver("so far") }
            looks.schedule(after: .milliseconds(50))
            await client.wait(for: "the response") { client.text.contains("so far") || exchange.end != nil }
            #expect(exchange.end == nil)
        }
    }
}
