import CHeadgate
import HeadgateEventLoop
import HeadgateTesting
import Testing

/// The upstream and the client that other tests rely on, tested against each other over sockets.
@Suite struct ScriptedUpstreamTests {
    private func withUpstream(
        _ script: UpstreamScript, at address: ScriptedUpstream.Address = ScriptedUpstream.anyPort,
        _ body: (ScriptedUpstream, TestClient) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let upstream = try ScriptedUpstream(group: group, script: script, at: address)
        defer { upstream.stop() }
        var path: String?
        if case .unix(let unixPath) = address { path = unixPath }
        try await body(upstream, TestClient(group: group, unixPath: path))
    }

    private static let openEnded = ScriptedResponse.eventStream(["one", "two"], end: .stall)

    // MARK: Responses

    @Test func streamArrivesInTheScriptedPieces() async throws {
        var response = ScriptedResponse.eventStream(["hello"])
        response.split = 3
        try await withUpstream(UpstreamScript(always: response)) { upstream, client in
            let stream = try await client.openPost("/", json: "{}", port: upstream.port)
            #expect(stream.status == 200)
            #expect(stream.headers["content-type"] == "text/event-stream")
            var pieces: [String] = []
            while let chunk = try await stream.nextChunk() { pieces.append(String(decoding: chunk, as: UTF8.self)) }
            #expect(pieces == ["dat", "a: ", "hel", "lo\n", "\n"])
        }
    }

    @Test func chatStreamHasUsageOnlyOnRequest() async throws {
        try await withUpstream(UpstreamScript(always: .chatStream(words: ["a", "b"]))) { upstream, client in
            let plain = try await client.openPost("/", json: #"{"stream":true}"#, port: upstream.port).readEvents()
            #expect(plain.count == 5)
            #expect(plain.last == "[DONE]")
            let wish = #"{"stream":true,"stream_options":{"include_usage":true}}"#
            let counted = try await client.openPost("/", json: wish, port: upstream.port).readEvents()
            #expect(counted.count == 6)
            #expect(counted[4].contains(#""usage":{"#))
        }
    }

    @Test func responsesInOrderShareAKeptConnection() async throws {
        let script = UpstreamScript(inOrder: [.json(#"{"n":1}"#), .json(status: 404, #"{"n":2}"#)])
        try await withUpstream(script) { upstream, client in
            let connection = try await client.connect(port: upstream.port)
            let first = try await connection.open("GET", "/a")
            #expect(try await first.readAll() == Array(#"{"n":1}"#.utf8))
            let second = try await connection.open("POST", "/b", body: Array("x".utf8))
            #expect(second.status == 404)
            #expect(try await second.readAll() == Array(#"{"n":2}"#.utf8))
            #expect(try await connection.open("GET", "/c").status == 500)
            #expect(upstream.requests.map(\.path) == ["/a", "/b", "/c"])
            #expect(Set(upstream.requests.map(\.connection)) == [0])
            #expect(upstream.acceptedConnections == 1)
        }
    }

    @Test func unmatchedRequestGetsAReason() async throws {
        let script = try UpstreamScript(
            json: Array(
                """
                {"exchanges": [{"name": "chat", "expect": {"method": "POST", "headers": {"authorization": "Bearer real"},
                "absent_headers": ["x-api-key"], "body_contains": ["hi"]}, "response": {"body": "ok"}}]}
                """.utf8))
        try await withUpstream(script) { upstream, client in
            let real: HeaderLines = ["Authorization": "Bearer real"]
            let good = try await client.post("/", headers: real, json: #""hi""#, port: upstream.port)
            #expect(good.status == 200)
            #expect(good.text == "ok")
            let get = try await client.request("GET", "/", port: upstream.port)
            #expect(get.status == 500)
            #expect(get.text.contains("chat: method is GET, not POST"))
            let anonymous = try await client.post("/", json: #""hi""#, port: upstream.port)
            #expect(anonymous.text.contains("header authorization is missing"))
            let other: HeaderLines = ["Authorization": "Bearer real", "X-API-Key": "k"]
            let leaky = try await client.post("/", headers: other, json: #""hi""#, port: upstream.port)
            #expect(leaky.text.contains("header x-api-key is present"))
            #expect(upstream.requests.map(\.exchange) == ["chat", nil, nil, nil])
        }
    }

    @Test func unixSocketIsServed() async throws {
        let path = "/tmp/headgate-test-\(UInt64.random(in: 0 ... .max)).socket"
        try await withUpstream(UpstreamScript(always: .json("{}")), at: .unix(path: path)) { _, client in
            let response = try await client.request("GET", "/")
            #expect(response.text == "{}")
        }
    }

    // MARK: Faults

    @Test func resetIsSeenAfterTheData() async throws {
        try await withUpstream(UpstreamScript(always: .eventStream(["one"], end: .reset))) { upstream, client in
            let stream = try await client.open("GET", "/", port: upstream.port)
            #expect(try await stream.nextEvent() == "one")
            await #expect(throws: TestFailure.reset("Connection reset by peer")) { try await stream.nextEvent() }
            _ = try await upstream.nextEvent(.finished(0))
        }
    }

    @Test(arguments: [ScriptedResponse.Framing.chunked, .length])
    func cutIsReportedAsTruncated(framing: ScriptedResponse.Framing) async throws {
        var response = ScriptedResponse.eventStream(["one"], end: .cut)
        response.framing = framing
        try await withUpstream(UpstreamScript(always: response)) { upstream, client in
            let stream = try await client.open("GET", "/", port: upstream.port)
            #expect(try await stream.nextEvent() == "one")
            await #expect(throws: TestFailure.truncated) { try await stream.nextEvent() }
        }
    }

    @Test func endOfConnectionEndsABodyWithoutFraming() async throws {
        let response = ScriptedResponse(chunks: [ScriptedChunk("a"), ScriptedChunk("b")], framing: .close)
        try await withUpstream(UpstreamScript(always: response)) { upstream, client in
            let response = try await client.request("GET", "/", port: upstream.port)
            #expect(response.text == "ab")
        }
    }

    @Test func responseCanFailBeforeOrInsideItsHead() async throws {
        let script = UpstreamScript(inOrder: [
            ScriptedResponse(endBeforeHead: .cut), ScriptedResponse(endBeforeHead: .reset),
            ScriptedResponse(rawHead: Array("HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n".utf8)),
        ])
        try await withUpstream(script) { upstream, client in
            await #expect(throws: TestFailure.closedBeforeResponse) {
                try await client.open("GET", "/", port: upstream.port)
            }
            await #expect(throws: TestFailure.reset("Connection reset by peer")) {
                try await client.open("GET", "/", port: upstream.port)
            }
            await #expect(throws: TestFailure.notHTTP("Content-Length must be 1 to 15 digits.")) {
                try await client.open("GET", "/", port: upstream.port)
            }
        }
    }

    @Test func stallEndsTheWaitAtItsTimeout() async throws {
        try await withUpstream(UpstreamScript(always: ScriptedUpstreamTests.openEnded)) { upstream, client in
            let stream = try await client.open("GET", "/", port: upstream.port)
            #expect(try await stream.nextEvent() == "one")
            #expect(try await stream.nextEvent() == "two")
            await #expect(throws: TestFailure.timedOut(waitingFor: "bytes from the server")) {
                try await stream.nextEvent(timeout: .milliseconds(30))
            }
        }
    }

    // MARK: The peer

    @Test(arguments: [UpstreamEvent.PeerEnd.fin, .reset])
    func clientDisconnectIsNoticedAtOnce(end: UpstreamEvent.PeerEnd) async throws {
        try await withUpstream(UpstreamScript(always: ScriptedUpstreamTests.openEnded)) { upstream, client in
            let stream = try await client.open("GET", "/", port: upstream.port)
            _ = try await upstream.nextEvent(.chunkSent(0, 1))
            let leaving = headgate_monotonic_nanoseconds()
            if end == .fin { stream.close() } else { stream.reset() }
            let left = try await upstream.nextPeerClosed()
            #expect(left.kind == .peerClosed(0, end))
            #expect(Duration.between(leaving, left.at) < .seconds(1))
        }
    }

    @Test func upstreamStopsWritingToAStalledPeer() async throws {
        // The size exceeds the kernel's largest buffers of both ends (32 MiB and 4 MiB by default).
        let size = 1536 * 64 * 1024
        let chunk = ScriptedChunk(bytes: [UInt8](repeating: 0x61, count: 64 * 1024), repeat: 1536)
        try await withUpstream(UpstreamScript(always: ScriptedResponse(chunks: [chunk]))) { upstream, client in
            let connection = try await client.connect(port: upstream.port)
            connection.stopReading()
            connection.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            _ = try await upstream.nextEvent(.writingPaused(0))
            #expect(upstream.bytesWritten(request: 0) < size)
            connection.startReading()
            #expect(try await connection.readToEnd().count > size)
            _ = try await upstream.nextEvent(.finished(0))
        }
    }

    @Test func manyPacedStreamsArriveCompleteAndInOrder() async throws {
        let chunk = ScriptedChunk(sseData("{i}"), delay: .milliseconds(5), repeat: 20)
        try await withUpstream(UpstreamScript(always: ScriptedResponse(chunks: [chunk]))) { upstream, client in
            let expected = (0..<20).map(String.init)
            let port = upstream.port
            let right = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for _ in 0..<200 {
                    tasks.addTask { try await client.open("GET", "/", port: port).readEvents() == expected }
                }
                return try await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(right == 200)
            #expect(upstream.requests.count == 200)
        }
    }

    // MARK: Scripts

    @Test(arguments: [
        ("{", "line 1, column 2: JSON ends too early, at byte 1"),
        (#"{"exchanges":[]}"#, "the script: needs at least one of exchanges"),
        (
            #"{"exchanges":[{"response":{"status":42}}]}"#,
            "exchanges[0].response.status: must be a whole number from 200 to 599"
        ),
        (#"{"exchanges":[{"response":{"bdoy":""}}]}"#, "exchanges[0].response.bdoy: is not a known key"),
        (#"{"exchanges":[{"response":{}},{"expect":{}}]}"#, "exchanges[1]: needs a response"),
        (
            #"{"exchanges":[{"response":{"chunks":[{"base64":"a"}]}}]}"#,
            "exchanges[0].response.chunks[0].base64: is not base64"
        ),
        (
            #"{"exchanges":[{"response":{"end":"bang"}}]}"#,
            "exchanges[0].response.end: must be one of clean, cut, reset, stall"
        ),
        (#"{"exchanges":[{"response":{"body":1}}]}"#, "exchanges[0].response.body: must be a string"),
    ])
    func faultyScriptIsRefusedWithThePlace(json: String, description: String) {
        let error = #expect(throws: ScriptError.self) { try UpstreamScript(json: Array(json.utf8)) }
        #expect(error?.description == description)
    }
}
