import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import Testing

/// Much data through TLS to readers that pause. Nothing can stay in OpenSSL's buffers, which cause no socket events.
@Suite(.serialized) struct TLSPressureTests {
    private static let filler = String(repeating: "y", count: 1260)
    private static let events = 12

    /// A chunk of 12 events, which fills a record of 16 KiB; `{i}` counts the chunks.
    private static let record: String = (0..<events).map {
        sseData(#"{"choices":[{"index":0,"delta":{"content":"{i}/\#($0) \#(filler)"}}]}"#)
    }.joined()

    /// Returns a connection after one exchange, so that its handshake is complete.
    private func connectionThatDoesNotRead(_ running: RunningGateway) async throws -> TestConnection {
        let connection = try await running.client.connect(port: running.port)
        let answer = try await connection.open("GET", "/v1/models", headers: running.headers)
        _ = try await answer.readAll()
        _ = await running.log.next()
        connection.stopReading()
        return connection
    }

    private func open(_ connection: TestConnection, _ running: RunningGateway) async throws -> TestStream {
        try await connection.open(
            "POST", RunningGateway.chatPath, headers: running.headers,
            body: Array(RunningGateway.body(stream: true).utf8))
    }

    private func expectAll(_ events: [String], records: Int) {
        #expect(events.count == records * TLSPressureTests.events + 2)
        let expected = (0..<records).flatMap { record in
            (0..<TLSPressureTests.events).map { #""content":"\#(record)/\#($0) y"# }
        }
        #expect(zip(events, expected).allSatisfy { $0.contains($1) })
        #expect(events.last == "[DONE]")
    }

    /// Returns many full records followed by silence: bytes that are not delivered by then never will be.
    private func flood(records: Int) -> ScriptedResponse {
        let last = sseData(#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#) + sseData("[DONE]")
        return ScriptedResponse(
            headers: ["Content-Type": "text/event-stream"],
            chunks: [ScriptedChunk(TLSPressureTests.record, repeat: records), ScriptedChunk(last)]
        ).ending(.stall)
    }

    @Test func readerThatPausesGetsEveryEventOfEveryRecord() async throws {
        let records = 1500
        let certificates = try TLSCertificates()
        #expect((15_000..<17_000).contains(TLSPressureTests.record.utf8.count))
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: flood(records: records)), loops: 1,
            clientTLS: try certificates.listener())
        let connection = try await connectionThatDoesNotRead(running)
        async let opening = open(connection, running)
        _ = try await running.upstream.nextEvent(.writingPaused(0), timeout: .seconds(30))
        connection.startReading()
        let stream = try await opening
        var events: [String] = []
        for _ in 1...3 {
            stream.stopReading()
            stream.startReading()
            for _ in 0..<500 { events.append(try #require(try await stream.nextEvent(timeout: .seconds(30)))) }
        }
        events += try await stream.readEvents(timeout: .seconds(60))
        expectAll(events, records: records)
    }

    /// The gateway is paused when the records arrive, and no data follows them.
    @Test(arguments: [1, 2, 5, 20])
    func recordsReceivedDuringAPauseAreDeliveredWhole(_ records: Int) async throws {
        let certificates = try TLSCertificates()
        // Any queue exceeds the limit, so the upstream is paused after every read.
        var limits = RunningGateway.patientLimits
        limits.outputHighWaterMark = 1024
        limits.outputLowWaterMark = 512
        var response = flood(records: 1)
        let filler = String(repeating: "z", count: 600_000)
        let first = ScriptedChunk(sseData(#"{"choices":[{"index":0,"delta":{"content":"\#(filler)"}}]}"#))
        let piece = ScriptedChunk(TLSPressureTests.record, delay: .microseconds(1), repeat: records)
        response.chunks = [first, piece]
        let running = try RunningGateway(tls: certificates, UpstreamScript(always: response), loops: 1, limits: limits)
        // A Unix socket has small buffers in the system, so a stalled client soon has an effect.
        let folder = try TemporaryFolder()
        let path = folder.path + "/gateway.sock"
        try running.server.listen(on: [ListenerSettings(address: .unix(path: path), authentication: .none)])
        let connection = try await TestClient(group: running.group, unixPath: path).connect()
        connection.stopReading()
        async let opening = connection.open(
            "POST", RunningGateway.chatPath, headers: ["Host": "localhost", "Content-Type": "application/json"],
            body: Array(RunningGateway.body(stream: true).utf8))
        _ = try await running.upstream.nextEvent(.chunkSent(0, records))
        connection.startReading()
        let stream = try await opening
        _ = try await stream.nextEvent()
        for index in 0..<records * TLSPressureTests.events {
            let (record, event) = index.quotientAndRemainder(dividingBy: TLSPressureTests.events)
            let text = try #require(try await stream.nextEvent())
            #expect(text.contains(#""content":"\#(record)/\#(event) y"#))
        }
    }

    @Test func manyMegabytesGoBothWaysAtOnce() async throws {
        let records = 200
        let certificates = try TLSCertificates()
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: flood(records: records)),
            clientTLS: try certificates.listener())
        let padding = String(repeating: "x", count: 3 << 20)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await running.openStream(extra: #","user":"\#(padding)""#).readEvents(timeout: .seconds(60))
                }
            }
            for try await events in group { expectAll(events, records: records) }
        }
        #expect(running.upstream.requests.allSatisfy { $0.body.count > padding.utf8.count })
        #expect(running.upstream.requests.count == 4)
    }

    @Test func stalledReaderPausesTheUpstreamAndIsReleased() async throws {
        let certificates = try TLSCertificates()
        var limits = RunningGateway.patientLimits
        limits.writeTimeout = .milliseconds(300)
        let running = try RunningGateway(
            tls: certificates, UpstreamScript(always: flood(records: 5000)), limits: limits,
            clientTLS: try certificates.listener())
        let connection = try await connectionThatDoesNotRead(running)
        connection.send(running.streamRequest)
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"timed_out""#) && line.contains(#""error":"client_stalled""#))
        let match = try #require(line.firstMatch(of: /"queued_max":(\d+)/))
        let peak = try #require(Int(match.1))
        #expect(peak > 192 * 1024 && peak <= 384 * 1024, "\(peak)")
        #expect(running.upstream.bytesWritten < 60_000_000)
        withExtendedLifetime(connection) {}
    }
}
