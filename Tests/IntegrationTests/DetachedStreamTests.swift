import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateTesting
import Testing

/// Streams whose clients leave and come back, over sockets.
@Suite(.timeLimit(.minutes(10))) struct DetachedStreamTests {
    private static let otherKey = "client-key-of-somebody-else"

    private static let detached = [
        ModelConfiguration(
            name: "scripted", targets: [TargetConfiguration(upstream: "scripted")], onDisconnect: .detach)
    ]

    private func running(_ words: Int, _ route: Route = .chat) throws -> RunningGateway {
        let keys = [("test", RunningGateway.clientKey), ("other", Self.otherKey)].map { name, key in
            KeyConfiguration(name: name, digest: KeyDigest(of: key.utf8).bytes)
        }
        return try RunningGateway(
            UpstreamScript(always: route.response(words: words)), models: Self.detached, keys: keys,
            state: GatewayState())
    }

    private func id(of stream: TestStream) throws -> String {
        try #require(stream.headers.values(of: "x-request-id").first)
    }

    private func resume(
        _ id: String, after event: String, _ running: RunningGateway, key: String = RunningGateway.clientKey
    ) async throws -> TestStream {
        try await running.client.open(
            "GET", "/v1/streams/\(id)",
            headers: [
                "Host": "127.0.0.1:\(running.port)", "Authorization": "Bearer \(key)", "Last-Event-ID": event,
            ], port: running.port)
    }

    /// Reads at most `count` events and disconnects.
    private func read(_ count: Int, of stream: TestStream) async throws -> [ReceivedEvent] {
        var events: [ReceivedEvent] = []
        while events.count < count, let event = try await stream.nextReceivedEvent() { events.append(event) }
        stream.close()
        return events
    }

    /// Route of a stream, with its request and its last event.
    enum Route: String, CaseIterable, Sendable {
        case chat, messages, responses

        var path: String {
            switch self {
            case .chat: RunningGateway.chatPath
            case .messages: "/v1/messages"
            case .responses: "/v1/responses"
            }
        }

        var json: String {
            switch self {
            case .chat: RunningGateway.body(stream: true)
            case .messages:
                #"{"model":"scripted","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]}"#
            case .responses: #"{"model":"scripted","stream":true,"store":false,"input":"hi"}"#
            }
        }

        /// Returns the upstream's response in one of OpenAI's two formats.
        func response(words: Int) -> ScriptedResponse {
            let pace = Duration.microseconds(500)
            guard self == .responses else {
                return .chatStream(words: (0..<words).map { "w\($0) " }, delay: pace)
            }
            func event(_ type: String, _ members: String) -> String {
                "event: \(type)\ndata: {\"type\":\"\(type)\",\(members)}\n\n"
            }
            return ScriptedResponse(
                headers: ["Content-Type": "text/event-stream"],
                chunks: [
                    ScriptedChunk(event("response.created", #""response":{"id":"resp_1","status":"in_progress"}"#)),
                    ScriptedChunk(
                        event("response.output_text.delta", #""item_id":"msg_1","delta":"w{i} ""#), delay: pace,
                        repeat: words),
                    ScriptedChunk(event("response.completed", #""response":{"id":"resp_1","status":"completed"}"#)),
                ])
        }

        func isLast(_ event: ReceivedEvent) -> Bool {
            switch self {
            case .chat, .responses: event.data == "[DONE]"
            case .messages: event.name == "message_stop"
            }
        }
    }

    @Test(arguments: Route.allCases)
    func streamIsCompleteHoweverOftenItsClientReconnects(_ route: Route) async throws {
        let running = try running(500, route)
        let first = try await running.client.openPost(
            route.path, headers: running.headers, json: route.json, port: running.port)
        let id = try id(of: first)
        var events = try await read(100, of: first)
        for _ in 0..<2 {
            events += try await read(150, of: resume(id, after: try #require(events.last?.id), running))
        }
        events += try await read(.max, of: resume(id, after: try #require(events.last?.id), running))
        #expect(events.map(\.id) == (1...events.count).map { "\($0)" } && events.count > 500)
        let text = events.map(\.data).joined()
        for word in 0..<500 { #expect(text.components(separatedBy: "\"w\(word) \"").count == 2, "w\(word)") }
        let last = try #require(events.last)
        #expect(route.isLast(last), "\(last)")
        #expect(try await resume(id, after: try #require(events.last?.id), running).status == 204)
        #expect(running.upstream.requests.count == 1)
    }

    @Test func anotherKeyHasNoSuchStream() async throws {
        let running = try running(20)
        let stream = try await running.openStream()
        let id = try id(of: stream)
        _ = try await read(5, of: stream)
        let other = try await resume(id, after: "5", running, key: Self.otherKey)
        #expect(other.status == 404)
        #expect(String(decoding: try await other.readAll(), as: UTF8.self).contains("stream_not_found"))
        #expect(try await read(.max, of: resume(id, after: "5", running)).last?.data == "[DONE]")
    }

    @Test func restartedGatewayReportsALostStream() async throws {
        let id: String
        do {
            let before = try running(20)
            let stream = try await before.openStream()
            id = try self.id(of: stream)
            _ = try await read(5, of: stream)
        }
        let restarted = try running(20)
        let lost = try await resume(id, after: "5", restarted)
        #expect(lost.status == 404)
        #expect(String(decoding: try await lost.readAll(), as: UTF8.self).contains("the gateway was restarted"))
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
