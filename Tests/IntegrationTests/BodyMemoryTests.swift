import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateServer
import HeadgateTesting
import Testing

/// Request bodies and whole response bodies of all clients together stay within `limits: {body_memory}`.
@Suite(.timeLimit(.minutes(10))) struct BodyMemoryTests {
    private let state = GatewayState()

    private func running(_ response: ScriptedResponse = .chatCompletion("ok")) throws -> RunningGateway {
        var limits = RunningGateway.patientLimits
        // In these tests, bodies that do not arrive hold memory.
        limits.bodyCheckInterval = .seconds(60)
        return try RunningGateway(
            UpstreamScript(always: response), limits: limits,
            accepting: LimitsConfiguration(body: 300_000, bodyMemory: 300_000),
            state: state)
    }

    private func body(_ size: Int) -> String {
        RunningGateway.body(stream: false, extra: #","x":"\#(String(repeating: "x", count: size))""#)
    }

    private func head(_ running: RunningGateway, _ path: String, _ framing: String) -> String {
        """
        POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\
        Authorization: Bearer \(RunningGateway.clientKey)\r\nContent-Type: application/json\r\n\(framing)\r\n\r\n
        """
    }

    /// Sends a request without the last byte of its body.
    private func hold(_ running: RunningGateway, _ octets: Int) async throws -> TestConnection {
        let connection = try await running.client.raw(
            port: running.port,
            head(running, RunningGateway.chatPath, "Content-Length: \(octets + 1)\r\nExpect: 100-continue"))
        let interim = try #require(try await connection.nextBytes())
        #expect(String(decoding: interim, as: UTF8.self).hasPrefix("HTTP/1.1 100"))
        #expect(state.bodyMemory.held == 0, "what was announced has not come")
        connection.send(String(repeating: " ", count: octets))
        while state.bodyMemory.held < octets { for loop in running.group.loops { try loop.performAndWait {} } }
        return connection
    }

    @Test(arguments: [
        (RunningGateway.chatPath, #"{"error":{"message":"The gateway holds"#),
        ("/v1/messages", #"{"type":"error","error":"#), ("/v1/responses", #"{"error":{"message":"The gateway holds"#),
    ])
    func bodyAboveThemIsRefusedInItsRoutesDialect(_ path: String, _ beginning: String) async throws {
        let running = try running()
        let holder = try await hold(running, 250_000)
        #expect(state.bodyMemory.held == 250_000)
        let answer = try await running.client.request(
            "POST", path, headers: running.headers, body: Array(body(70_000).utf8), port: running.port)
        #expect(answer.status == 503 && answer.headers["Retry-After"] == "1", "\(answer.text)")
        #expect(answer.text.hasPrefix(beginning), "\(answer.text)")
        #expect(try await running.ask().status == 200, "a small one comes with its head, and passes")
        holder.close()
        _ = await running.log.next()
    }

    @Test func bodyOfUnknownLengthIsRefusedWhenItHasGrownTooLarge() async throws {
        let running = try running()
        let holder = try await hold(running, 250_000)
        let chunk = String(repeating: " ", count: 0xFFFF)
        let connection = try await running.client.raw(
            port: running.port,
            head(running, RunningGateway.chatPath, "Transfer-Encoding: chunked") + "FFFF\r\n\(chunk)\r\n")
        let answer = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains(#""code":"body_memory""#), "\(answer)")
        holder.close()
    }

    enum End: CaseIterable, Sendable {
        case answered, refused, clientLeavesInItsBody, clientLeavesLater, upstreamFails
    }

    @Test(arguments: End.allCases) func memoryIsReleasedHoweverARequestEnds(_ end: End) async throws {
        let stall = ScriptedResponse(chunks: [], endBeforeHead: .stall)
        let running =
            switch end {
            case .clientLeavesLater: try running(stall)
            case .upstreamFails: try running(ScriptedResponse(chunks: [], endBeforeHead: .reset))
            default: try running()
            }
        for _ in 0..<5 {
            switch end {
            case .answered: #expect(try await running.ask(body(200_000)).status == 200)
            case .refused: #expect(try await running.ask(body(200_000) + "}").status == 400)
            case .upstreamFails: #expect(try await running.ask(body(200_000)).status == 502)
            case .clientLeavesInItsBody: try await hold(running, 200_000).reset()
            case .clientLeavesLater:
                let text = body(200_000)
                let connection = try await running.client.raw(
                    port: running.port,
                    head(running, RunningGateway.chatPath, "Content-Length: \(text.utf8.count)") + text)
                _ = try await running.upstream.nextRequest()
                #expect(state.bodyMemory.held == text.utf8.count)
                connection.reset()
            }
            _ = await running.log.next()
            // The code that wrote the line has finished after one turn of each loop.
            for loop in running.group.loops { try loop.performAndWait {} }
            #expect(state.bodyMemory.held == 0)
        }
    }

    // MARK: Whole responses

    private func reading(_ limit: Int, writeTimeout: Duration) throws -> RunningGateway {
        var limits = RunningGateway.patientLimits
        limits.writeTimeout = writeTimeout
        let text = String(repeating: "x", count: 6 << 20)
        let document = #"{"id":"c","choices":[{"index":0,"message":{"content":"\#(text)"},"finish_reason":"stop"}]}"#
        return try RunningGateway(
            UpstreamScript(always: .json(document)), limits: limits,
            accepting: LimitsConfiguration(body: 300_000, bodyMemory: limit), state: state)
    }

    private func askWithoutReading(_ running: RunningGateway) async throws -> TestConnection {
        let connection = try await running.client.connect(port: running.port)
        connection.stopReading()
        let text = RunningGateway.body(stream: false)
        connection.send(head(running, RunningGateway.chatPath, "Content-Length: \(text.utf8.count)") + text)
        return connection
    }

    @Test func unreadWholeResponsesStayWithinTheMemory() async throws {
        let running = try reading(15 << 20, writeTimeout: .seconds(600))
        var connections: [TestConnection] = []
        for _ in 0..<6 { connections.append(try await askWithoutReading(running)) }
        for _ in 0..<4 {
            let line = await running.log.next()
            #expect(line.contains(#""error":"body_memory""#) && line.contains(#""status":503"#), "\(line)")
            #expect(state.bodyMemory.held <= 15 << 20)
        }
        for connection in connections { connection.close() }
        for _ in 0..<2 { _ = await running.log.next() }
        for loop in running.group.loops { try loop.performAndWait {} }
        #expect(state.bodyMemory.held == 0)
    }

    @Test func stalledReaderIsCutEarlyIfMemoryIsShort() async throws {
        let running = try reading(8 << 20, writeTimeout: .seconds(24))
        let start = ContinuousClock.now
        let connection = try await askWithoutReading(running)
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"timed_out""#) && line.contains(#""error":"client_stalled""#), "\(line)")
        #expect(start.duration(to: .now) < .seconds(20))
        for loop in running.group.loops { try loop.performAndWait {} }
        #expect(state.bodyMemory.held == 0)
        connection.close()
    }
}
