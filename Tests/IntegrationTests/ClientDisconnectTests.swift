import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay
import HeadgateServer
import HeadgateTesting
import Testing

/// When a client disconnects, its upstream request is cancelled at once, in every phase.
@Suite struct ClientDisconnectTests {
    enum Departure: String, CaseIterable, Sendable {
        case fin, reset, halfClose
    }

    private func leave(_ stream: TestConnection, _ departure: Departure) {
        switch departure {
        case .fin: stream.close()
        case .reset: stream.reset()
        case .halfClose: stream.halfClose()
        }
    }

    /// Expects the upstream request to end in less than a second, and returns the time until its end.
    private func departureTime(
        _ running: RunningGateway, _ departure: Departure, after event: UpstreamEvent.Kind
    ) async throws -> Duration {
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        _ = try await running.upstream.nextEvent(event)
        let left = headgate_monotonic_nanoseconds()
        leave(connection, departure)
        let seen = try await running.upstream.nextPeerClosed()
        let time = Duration.between(left, seen.at)
        #expect(time < .seconds(1), "\(departure) took \(time)")
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"client_gone""#), "\(line)")
        return time
    }

    @Test(arguments: Departure.allCases)
    func whileWaitingForTheHead(_ departure: Departure) async throws {
        let stall = ScriptedResponse(chunks: [], endBeforeHead: .stall)
        let running = try RunningGateway(UpstreamScript(always: stall))
        _ = try await departureTime(running, departure, after: .requestReceived(0))
    }

    @Test(arguments: Departure.allCases)
    func beforeTheFirstDelta(_ departure: Departure) async throws {
        let silent = ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"], chunks: [ScriptedChunk(": thinking\n\n")]
        )
        .ending(.stall)
        let running = try RunningGateway(UpstreamScript(always: silent))
        _ = try await departureTime(running, departure, after: .chunkSent(0, 0))
    }

    @Test(arguments: Departure.allCases)
    func inTheMiddleOfTheStream(_ departure: Departure) async throws {
        let response = ScriptedResponse.chatStream(words: ["one", "two"]).stalling(afterChunks: 3)
        let running = try RunningGateway(UpstreamScript(always: response))
        _ = try await departureTime(running, departure, after: .chunkSent(0, 2))
    }

    @Test func medianTimeUntilTheUpstreamIsCancelled() async throws {
        let response = ScriptedResponse.chatStream(words: ["one", "two"]).stalling(afterChunks: 3)
        var times: [Duration] = []
        for _ in 0..<9 {
            let running = try RunningGateway(UpstreamScript(always: response))
            times.append(try await departureTime(running, .fin, after: .chunkSent(0, 2)))
        }
        let median = times.sorted()[4]
        print("a client that leaves is seen upstream after \(median) (median of 9)")
        #expect(median < .seconds(1))
    }

    /// Disconnects, and returns once the gateway has noticed.
    private func leave(_ running: RunningGateway, _ connection: TestConnection) async throws {
        connection.close()
        try await until { running.server.openConnections == 0 }
    }

    @Test func responseIsDrainedForItsUsage() async throws {
        var response = ScriptedResponse.chatStream(words: (0..<40).map { "w\($0) " })
        let gate = Gate()
        response.chunks[4].gate = gate
        let running = try RunningGateway(
            UpstreamScript(always: response),
            models: [
                ModelConfiguration(
                    name: "scripted", targets: [TargetConfiguration(upstream: "scripted")], onDisconnect: .drain)
            ], state: GatewayState())
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        _ = try await running.upstream.nextEvent(.chunkSent(0, 2))
        try await leave(running, connection)
        gate.open()
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"client_gone""#) && line.contains(#""after_leaving":"drained""#), "\(line)")
        #expect(line.contains(#""prompt_tokens":9,"completion_tokens":40"#), "\(line)")
    }

    @Test func disconnectBeforeTheResponseIsNotAGatewayError() async throws {
        var response = ScriptedResponse.chatStream(words: ["one"])
        let gate = Gate()
        response.headGate = gate
        let running = try RunningGateway(
            UpstreamScript(always: response),
            models: [
                ModelConfiguration(
                    name: "scripted", targets: [TargetConfiguration(upstream: "scripted")], onDisconnect: .drain)
            ], state: GatewayState())
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        _ = try await running.upstream.nextEvent(.requestReceived(0))
        try await leave(running, connection)
        gate.open()
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"client_gone""#) && line.contains(#""after_leaving":"drained""#), "\(line)")
        #expect(line.contains(#""completion_tokens":1"#), "\(line)")
        for error in [#""status":5"#, #""error":"#] { #expect(!line.contains(error), "\(line)") }
    }

    @Test func disconnectDuringTheBodyNeverReachesTheUpstream() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        let connection = try await running.client.raw(
            port: running.port,
            """
            POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\
            Authorization: Bearer \(RunningGateway.clientKey)\r\nContent-Type: application/json\r\n\
            Content-Length: 1000\r\n\r\n{"model":
            """)
        connection.halfClose()
        #expect(await running.log.next().contains(#""outcome":"client_gone""#))
        #expect(running.upstream.requests.isEmpty)
    }
}

extension ScriptedResponse {
    /// Returns this response with only its first chunks, followed by a stall.
    func stalling(afterChunks count: Int) -> ScriptedResponse {
        var response = self
        response.chunks = Array(chunks.prefix(count))
        response.end = .stall
        return response
    }
}
