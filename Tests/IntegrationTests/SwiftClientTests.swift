import HeadgateClient
import HeadgateClientURLSession
import HeadgateConfiguration
import HeadgateGateway
import HeadgateRelay
import HeadgateTesting
import Testing

/// The Swift client as an app uses it, through the gateway to an upstream.
@Suite(.timeLimit(.minutes(10))) struct SwiftClientTests {
    private func client(of running: RunningGateway, clientID: String) throws -> HeadgateClient {
        try HeadgateClient(
            baseURL: "http://127.0.0.1:\(running.port)/v1", apiKey: RunningGateway.clientKey,
            transport: URLSessionTransport(),
            middlewares: [HeaderInjection(AppHeaders(appOS: "iOS", clientID: clientID))])
    }

    private func ask(_ running: RunningGateway, clientID: String = "installation-7") async throws -> ReceivedRequest {
        let client = try client(of: running, clientID: clientID)
        var text = ""
        for try await piece in client.chat.stream(ChatRequest(model: "scripted", prompt: "p")).text { text += piece }
        #expect(text == "Hello")
        return try await running.upstream.nextRequest()
    }

    @Test func appsHeadersReachTheUpstreamIfForwarded() async throws {
        let running = try RunningGateway(
            UpstreamScript(always: .chatStream(words: ["Hel", "lo"])), forwardedHeaders: ["app-os", "client-id"])
        let seen = try await ask(running)
        #expect(seen.headers.values(of: "app-os") == ["iOS"])
        #expect(seen.headers.values(of: "client-id") == ["installation-7"])
        #expect(seen.headers.values(of: "authorization") == ["Bearer \(RunningGateway.upstreamKey)"])
    }

    @Test func gatewaysHeadersApplyIfNothingIsForwarded() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatStream(words: ["Hel", "lo"])))
        let seen = try await ask(running)
        #expect(seen.headers.values(of: "app-os") == ["linux"])
        #expect(seen.headers.values(of: "client-id") == ["my-app"])
    }
}

extension SwiftClientTests {
    private static let words = (0..<500).map { "w\($0) " }

    private func detached() throws -> RunningGateway {
        try RunningGateway(
            UpstreamScript(always: .chatStream(words: Self.words, delay: .microseconds(500))),
            models: [
                ModelConfiguration(
                    name: "scripted", targets: [TargetConfiguration(upstream: "scripted")], onDisconnect: .detach)
            ], state: GatewayState())
    }

    /// Reads at most `count` pieces and disconnects.
    private func read(
        _ count: Int, of stream: CompletionStream<ChatCompletionChunk>, into text: inout String
    ) async throws -> StreamPosition? {
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<count {
            guard let piece = try await iterator.next() else { break }
            text += piece.addedText
        }
        return iterator.position
    }

    @Test(arguments: [ChatRoute.chatCompletions, .messages])
    func streamIsResumedAfterEveryDisconnect(_ route: ChatRoute) async throws {
        let running = try detached()
        let chat = try client(of: running, clientID: "c").chat
        var text = ""
        let request = ChatRequest(model: "scripted", messages: [.user("p")], route: route)
        var position = try #require(try await read(100, of: chat.stream(request), into: &text))
        for _ in 0..<2 {
            position = try #require(try await read(100, of: chat.resume(position, route: route), into: &text))
        }
        position = try #require(try await read(.max, of: chat.resume(position, route: route), into: &text))
        #expect(text == Self.words.joined() && running.upstream.requests.count == 1)
    }

    @Test func stoppedStreamIsGone() async throws {
        let running = try detached()
        let chat = try client(of: running, clientID: "c").chat
        var text = ""
        let position = try #require(
            try await read(5, of: chat.stream(ChatRequest(model: "scripted", prompt: "p")), into: &text))
        try await chat.stop(position)
        do {
            _ = try await read(1, of: chat.resume(position), into: &text)
            Issue.record("it is there")
        } catch HeadgateClientError.status(let failure) {
            #expect(failure.status == 404 && failure.error?.code == "stream_not_found")
        }
    }
}
