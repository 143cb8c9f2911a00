import HeadgateEventLoop
import HeadgateServer
import HeadgateTesting
import Testing

@Suite struct ShutdownTests {
    @Test func streamInFlightFinishesAndNewConnectionsAreRefused() async throws {
        let running = try RunningGateway(
            UpstreamScript(always: .chatStream(words: ["a", "b", "c"], delay: .milliseconds(50))))
        let stream = try await running.openStream()
        let ended = Latch()
        running.server.shutDown { ended.open() }
        #expect(try await stream.readEvents().last == "[DONE]")
        ended.wait()
        #expect(running.server.openConnections == 0)
        await #expect(throws: TestFailure.self) { try await running.client.connect(port: running.port) }
    }

    @Test func streamThatOutlivesTheDrainIsToldInItsDialect() async throws {
        var limits = ServerLimits()
        limits.drainTimeout = .milliseconds(100)
        let running = try RunningGateway(
            UpstreamScript(always: ScriptedReply.chatStream(words: ["a"]).stalling(afterChunks: 2)), limits: limits)
        let stream = try await running.openStream()
        _ = try await stream.nextEvent()
        let ended = Latch()
        running.server.shutDown { ended.open() }
        let events = try await stream.readEvents()
        #expect(events.last?.contains("gateway_shutdown") == true)
        #expect(!events.contains("[DONE]"))
        ended.wait()
        #expect(await running.log.next().contains(#""outcome":"drained""#))
        #expect(try await running.upstream.nextPeerClosed().isPeerClosed)
    }

    @Test func idleConnectionsAreClosedAtOnce() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let connection = try await running.client.raw(
            port: running.port, "GET /livez HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\r\n")
        _ = try await connection.nextBytes()
        running.server.shutDown {}
        #expect(try await connection.readToEnd().isEmpty)
    }
}
