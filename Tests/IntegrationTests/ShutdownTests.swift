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

    @Test func streamThatOutlivesTheDrainGetsAnErrorInItsDialect() async throws {
        var limits = RunningGateway.patientLimits
        limits.drainTimeout = .milliseconds(100)
        let running = try RunningGateway(
            UpstreamScript(always: ScriptedResponse.chatStream(words: ["a"]).stalling(afterChunks: 2)), limits: limits)
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

    @Test func responseOutlivingTheDrainEndsWithItsNextEvent() async throws {
        var limits = RunningGateway.patientLimits
        limits.drainTimeout = .milliseconds(100)
        let created = #"{"type":"response.created","sequence_number":0,"response":{"id":"resp_7","model":"m"}}"#
        let delta = #"{"type":"response.output_text.delta","sequence_number":1,"delta":"a"}"#
        let running = try RunningGateway(
            UpstreamScript(always: .eventStream([created, delta], end: .stall)), limits: limits)
        let stream = try await running.client.openPost(
            "/v1/responses", headers: running.headers, json: #"{"model":"scripted","stream":true,"input":"hi"}"#,
            port: running.port)
        for _ in 0..<2 { _ = try await stream.nextEvent() }
        let ended = Latch()
        running.server.shutDown { ended.open() }
        let last = try #require(try await stream.readEvents().last)
        #expect(last.contains(#""sequence_number":2,"response":{"id":"resp_7","#), "\(last)")
        #expect(last.contains(#""model":"m""#))
        ended.wait()
    }

    /// Nothing has arrived from the upstream, so the error can still be a status.
    @Test func unansweredRequestAtTheDrainsEndGetsAnError() async throws {
        var limits = RunningGateway.patientLimits
        limits.drainTimeout = .milliseconds(100)
        let stall = ScriptedResponse(chunks: [], endBeforeHead: .stall)
        let running = try RunningGateway(UpstreamScript(always: stall), limits: limits)
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        _ = try await running.upstream.nextRequest()
        let ended = Latch()
        running.server.shutDown { ended.open() }
        let text = try await connection.readText()
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        #expect(text.contains("Connection: close") && text.contains("Retry-After: 1"))
        #expect(text.contains(#""code":"gateway_shutdown""#))
        ended.wait()
        #expect(await running.log.next().contains(#""status":503,"outcome":"drained""#))
        #expect(try await running.upstream.nextPeerClosed().isPeerClosed)
    }

    @Test func stalledClientCannotDelayTheShutdown() async throws {
        var limits = RunningGateway.patientLimits
        limits.drainTimeout = .milliseconds(100)
        let event = sseData(#"{"choices":[{"index":0,"delta":{"content":"\#(String(repeating: "x", count: 1000))"}}]}"#)
        let flood = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"], chunks: [ScriptedChunk(event, repeat: 20_000)]
        ).ending(.stall)
        let running = try RunningGateway(UpstreamScript(always: flood), limits: limits)
        let connection = try await running.client.connect(port: running.port)
        connection.stopReading()
        connection.send(running.streamRequest)
        // The upstream is paused because the client's queue is full.
        _ = try await running.upstream.nextEvent(.writingPaused(0))
        let ended = Latch()
        running.server.shutDown { ended.open() }
        #expect(ended.wait(atMost: .seconds(10)))
        #expect(await running.log.next().contains(#""outcome":"drained""#))
    }

    @Test func requestInTransitAtAShutdownIsServed() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let connection = try await running.client.connect(port: running.port)
        let ended = Latch()
        running.server.shutDown { ended.open() }
        connection.send("GET /livez HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\r\n")
        let text = try await connection.readText()
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        #expect(text.contains("Connection: close"))
        #expect(ended.wait(atMost: .seconds(10)))
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
