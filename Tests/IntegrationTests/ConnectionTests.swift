import Foundation
import HeadgateEventLoop
import HeadgateServer
import HeadgateTesting
import Testing

/// Deadlines, caps and reuse of connections.
@Suite struct ConnectionTests {
    @Test func incompleteHeadGetsAResponseAtItsDeadline() async throws {
        var limits = ServerLimits()
        limits.headTimeout = .milliseconds(150)
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")), limits: limits)
        let connection = try await running.client.raw(port: running.port, "GET /livez HTTP/1.1\r\nHo")
        let text = try await connection.readText()
        #expect(text.hasPrefix("HTTP/1.1 408 "))
        #expect(text.contains("Connection: close"))
    }

    @Test func incompleteBodyGetsAResponseAtItsDeadline() async throws {
        var limits = ServerLimits()
        limits.bodyTimeout = .seconds(0)
        limits.bodyCheckInterval = .milliseconds(100)
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")), limits: limits)
        let connection = try await running.client.raw(
            port: running.port,
            """
            POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\
            Authorization: Bearer \(RunningGateway.clientKey)\r\nContent-Type: application/json\r\n\
            Content-Length: 1000\r\n\r\n{
            """)
        #expect(try await connection.readText().hasPrefix("HTTP/1.1 408 "))
        #expect(running.upstream.requests.isEmpty)
    }

    @Test func idleConnectionIsClosedAfterItsKeepAlive() async throws {
        var limits = ServerLimits()
        limits.keepAliveTimeout = .milliseconds(150)
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")), limits: limits)
        let connection = try await running.client.raw(
            port: running.port, "GET /livez HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\r\n")
        let text = try await connection.readText()
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
    }

    @Test func connectionAboveTheCapGetsAnError() async throws {
        var limits = ServerLimits()
        limits.connections = 1
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")), limits: limits)
        let first = try await running.client.raw(
            port: running.port, "GET /livez HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\r\n")
        #expect(try await first.nextBytes() != nil)
        let second = try await running.client.connect(port: running.port)
        let text = try await second.readText()
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        #expect(text.contains("Retry-After: 1"))
        #expect(text.hasSuffix("}"))
    }

    @Test func silentStreamIsKeptAliveByCommentsBetweenEvents() async throws {
        var limits = ServerLimits()
        limits.heartbeatInterval = .milliseconds(50)
        let response = ScriptedResponse.chatStream(words: ["a", "b"], delay: .milliseconds(300))
        let running = try RunningGateway(UpstreamScript(always: response), limits: limits)
        let stream = try await running.openStream()
        let text = String(decoding: try await stream.readAll(), as: UTF8.self)
        #expect(text.contains("\n\n: ping\n\n"))
        #expect(text.hasSuffix("data: [DONE]\n\n"))
        let events = text.components(separatedBy: "\n\n").dropLast()
        #expect(events.allSatisfy { $0 == ": ping" || $0.hasPrefix("data: ") })
    }

    @Test func twoRequestsSentAheadAreTooMany() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let request = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\r\n"
        let two = try await running.client.raw(
            port: running.port, request + request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
        #expect(try await two.readText().components(separatedBy: "HTTP/1.1 200 ").count == 3)
        let four = try await running.client.raw(port: running.port, String(repeating: request, count: 4))
        #expect(try await four.readText().components(separatedBy: "HTTP/1.1 200 ").count == 2)
    }

    @Test func upstreamConnectionsAreReused() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")), loops: 1)
        for _ in 0..<5 { #expect(try await running.ask().status == 200) }
        #expect(running.upstream.acceptedConnections == 1)
        let streams = try RunningGateway(UpstreamScript(always: .chatStream(words: ["a"])), loops: 1)
        for _ in 0..<5 { #expect(try await streams.openStream().readEvents().last == "[DONE]") }
        #expect(streams.upstream.acceptedConnections == 1)
    }

    @Test func deadPooledConnectionIsReplacedOnceUnnoticed() async throws {
        // The upstream closes the first connection only after its response was complete and the connection was pooled.
        let script = UpstreamScript(inOrder: [
            .chatCompletion("first"), ScriptedResponse(chunks: [], endBeforeHead: .cut), .chatCompletion("third"),
        ])
        let running = try RunningGateway(script, loops: 1)
        #expect(try await running.ask().status == 200)
        let second = try await running.ask()
        #expect(second.status == 200)
        #expect(second.text.contains("third"))
        #expect(running.upstream.requests.count == 3)
    }

    @Test func stalledClientHoldsABoundedAmount() async throws {
        let event = sseData(#"{"choices":[{"index":0,"delta":{"content":"\#(String(repeating: "x", count: 1000))"}}]}"#)
        let flood = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"], chunks: [ScriptedChunk(event, repeat: 80_000)]
        ).ending(.stall)
        var limits = ServerLimits()
        limits.writeTimeout = .milliseconds(300)
        let running = try RunningGateway(UpstreamScript(always: flood), limits: limits)
        let connection = try await running.client.connect(port: running.port)
        connection.stopReading()
        connection.send(running.streamRequest)
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"timed_out""#) && line.contains(#""error":"client_stalled""#))
        let match = try #require(line.firstMatch(of: /"queued_max":(\d+)/))
        let peak = try #require(Int(match.1))
        print("the most that was queued for a client that does not read: \(peak) bytes")
        #expect(peak > 192 * 1024 && peak <= 256 * 1024 + 2048)
        #expect(running.upstream.bytesWritten < 80_000_000)
    }

    @Test func clientThatReadsAgainGetsEverythingInOrder() async throws {
        let text = #"{"choices":[{"index":0,"delta":{"content":"{i} \#(String(repeating: "y", count: 500))"}}]}"#
        var response = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"], chunks: [ScriptedChunk(sseData(text), repeat: 4000)])
        response.chunks.append(ScriptedChunk(sseData(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#)))
        response.chunks.append(ScriptedChunk(sseData("[DONE]")))
        let running = try RunningGateway(UpstreamScript(always: response), loops: 1)
        let stream = try await running.openStream()
        stream.stopReading()
        _ = try await running.upstream.nextEvent(.chunkSent(0, 600))
        stream.startReading()
        let events = try await stream.readEvents(timeout: .seconds(30))
        #expect(events.count == 4002)
        #expect(events.prefix(4000).enumerated().allSatisfy { $1.contains(#""content":"\#($0) y"#) })
    }
}
