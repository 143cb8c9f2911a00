import Foundation
import HTTPTypes
import HeadgateClient
import HeadgateClientURLSession
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of apps against an upstream on a real socket.
@Suite(.timeLimit(.minutes(10))) struct URLSessionTransportTests {
    private static let words = ["Hel", "lo", " wörld"]
    private static let request = ChatRequest(model: "m", prompt: "p")

    private func withUpstream(
        _ script: UpstreamScript, silenceTimeout: Duration = .seconds(30), key: String? = nil,
        middlewares: [any ClientMiddleware] = [],
        _ body: (ScriptedUpstream, HeadgateClient) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let upstream = try ScriptedUpstream(group: group, script: script)
        defer { upstream.stop() }
        let client = try HeadgateClient(
            baseURL: "http://127.0.0.1:\(upstream.port)/v1", apiKey: key,
            transport: URLSessionTransport(silenceTimeout: silenceTimeout), middlewares: middlewares)
        try await body(upstream, client)
    }

    private func withUpstream(
        always response: ScriptedResponse, silenceTimeout: Duration = .seconds(30),
        _ body: (ScriptedUpstream, HeadgateClient) async throws -> Void
    ) async throws {
        try await withUpstream(UpstreamScript(always: response), silenceTimeout: silenceTimeout, body)
    }

    private func failure(_ body: () async throws -> Void) async -> HeadgateClientError? {
        do {
            try await body()
            Issue.record("no error")
        } catch let error as HeadgateClientError {
            return error
        } catch {
            Issue.record("\(error)")
        }
        return nil
    }

    private func read(_ client: HeadgateClient) async throws -> String {
        var text = ""
        for try await piece in client.chat.stream(Self.request).text { text += piece }
        return text
    }

    @Test(arguments: [nil, 1, 7])
    func streamArrivesWholeHoweverItIsCut(split: Int?) async throws {
        var response = ScriptedResponse.chatStream(words: Self.words)
        response.split = split
        try await withUpstream(always: response) { _, client in
            let text = try await read(client)
            #expect(text == "Hello wörld")
        }
    }

    @Test func piecesArriveBeforeTheEndAndLeavingClosesTheConnection() async throws {
        let events = Self.words.map { #"{"choices":[{"index":0,"delta":{"content":"\#($0)"}}]}"# }
        try await withUpstream(always: .eventStream(events, end: .stall)) { upstream, client in
            var pieces: [String] = []
            for try await piece in client.chat.stream(Self.request).text {
                pieces.append(piece)
                if pieces.count == 3 { break }
            }
            #expect(pieces == Self.words)
            _ = try await upstream.nextPeerClosed()
        }
    }

    @Test func cancelledSessionKeepsThePartialReplyAndClosesTheConnection() async throws {
        var stalling = ScriptedResponse.eventStream(
            [#"{"choices":[{"index":0,"delta":{"content":"par"}}]}"#], end: .stall)
        stalling.split = 5
        try await withUpstream(UpstreamScript(inOrder: [stalling, .chatStream(words: ["tial"])])) { upstream, client in
            let session = ChatSession(client: client, model: "m")
            for try await answer in session.streamResponse(to: "Hi") where answer.content == "par" { session.cancel() }
            #expect(session.transcript.last?.message.text == "par")
            #expect(session.transcript.last?.isPartial == true)
            _ = try await upstream.nextPeerClosed()
            let rest = try await session.respond(to: "Go on.")
            #expect(rest.content == "tial")
            #expect(upstream.requests[1].text.contains("par"))
        }
    }

    @Test func cancellingTheWaitForTheHeadClosesTheConnection() async throws {
        try await withUpstream(always: ScriptedResponse(endBeforeHead: .stall)) { upstream, client in
            let task = Task { try await client.chat.complete(Self.request) }
            _ = try await upstream.nextRequest()
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            _ = try await upstream.nextPeerClosed()
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [200, 500])
    func cancellingTheWaitForTheRestOfAnAnswerClosesTheConnection(status: Int) async throws {
        var response = ScriptedResponse.json(#"{"object":"#)
        response.status = status
        response.end = .stall
        try await withUpstream(always: response) { upstream, client in
            let task = Task { try await client.chat.complete(Self.request) }
            _ = try await upstream.nextRequest()
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            _ = try await upstream.nextPeerClosed()
        }
    }

    @Test(arguments: [ScriptedResponse.End.cut, .reset])
    func brokenStreamIsReported(end: ScriptedResponse.End) async throws {
        let response = ScriptedResponse.eventStream([#"{"choices":[{"index":0,"delta":{"content":"a"}}]}"#], end: end)
        try await withUpstream(always: response) { _, client in
            let error = await failure { _ = try await read(client) }
            guard case .streamTruncated? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func shortBodyIsNotAResponse() async throws {
        var response = ScriptedResponse.json(#"{"object":"list","data":[]}"#)
        response.end = .cut
        try await withUpstream(always: response) { _, client in
            guard case .connectionFailed? = await failure({ _ = try await client.models.list() }) else {
                Issue.record("the body was taken for whole")
                return
            }
        }
    }

    @Test func errorBeforeTheStreamHasItsHints() async throws {
        let response = ScriptedResponse.openAIError(
            status: 429, message: "slow down", code: "rate", headers: ["Retry-After": "3", "X-Request-Id": "r1"])
        try await withUpstream(always: response) { _, client in
            guard case .status(let failure)? = await failure({ _ = try await read(client) }) else { return }
            #expect(failure.error?.code == "rate")
            #expect(failure.requestID == "r1")
            #expect(failure.retryHint == RetryHint(isRetryable: true, delay: .seconds(3)))
        }
    }

    @Test func silenceBeforeAndAfterTheHeadTimesOut() async throws {
        let silent = ScriptedResponse(endBeforeHead: .stall)
        let stream = ScriptedResponse.eventStream([#"{"choices":[{"delta":{"content":"a"}}]}"#], end: .stall)
        for response in [silent, stream] {
            try await withUpstream(always: response, silenceTimeout: .seconds(1)) { upstream, client in
                // On a busy machine, the timeout can pass before the request arrives; the upstream then receives no end
                // of it.
                repeat {
                    guard case .timedOut? = await failure({ _ = try await read(client) }) else {
                        Issue.record("no timeout")
                        return
                    }
                } while upstream.requests.isEmpty
                _ = try await upstream.nextPeerClosed()
            }
        }
    }

    @Test func missingListenerIsAFailedConnection() async throws {
        let client = try HeadgateClient(baseURL: "http://127.0.0.1:1")
        guard case .connectionFailed(let error)? = await failure({ _ = try await client.models.list() }) else { return }
        #expect(error.kind == .connect)
    }

    @Test func unixSocketIsRefused() async throws {
        let server = BaseURL(endpoint: .unix(path: "/run/headgate.sock"), pathPrefix: "/v1")
        let client = HeadgateClient(servers: [server], transport: URLSessionTransport())
        guard case .invalidURL? = await failure({ _ = try await client.models.list() }) else {
            Issue.record("no error")
            return
        }
    }

    @Test func redirectIsNotFollowed() async throws {
        try await withUpstream(always: ScriptedResponse(status: 307, headers: ["Location": "/elsewhere"])) {
            upstream, client in
            guard case .status(let failure)? = await failure({ _ = try await client.models.list() }) else { return }
            #expect(failure.status == 307)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func requestCarriesItsHeadersAndNoCookie() async throws {
        let list = #"{"object":"list","data":[]}"#
        let script = UpstreamScript(always: .json(list, headers: ["Set-Cookie": "a=b"]))
        let middlewares = [HeaderInjection(AppHeaders(appOS: "Linux", clientID: "app-1"))]
        try await withUpstream(script, key: "hg-secret", middlewares: middlewares) { upstream, client in
            for _ in 1...2 { _ = try await client.models.list() }
            for request in upstream.requests {
                #expect(request.headers["authorization"] == "Bearer hg-secret")
                #expect(request.headers["app-os"] == "Linux")
                #expect(request.headers["client-id"] == "app-1")
                #expect(request.headers["cookie"] == nil)
                #expect(request.path == "/v1/models")
            }
        }
    }

    @Test func finishedStreamLeavesItsConnectionToTheNext() async throws {
        try await withUpstream(always: .chatStream(words: Self.words)) { upstream, client in
            for _ in 1...3 { _ = try await read(client) }
            #expect(Set(upstream.requests.map(\.connection)).count == 1)
        }
    }

    @Test func streamIsLeftAtItsEndMarker() async throws {
        let response = ScriptedResponse.eventStream(
            [#"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}"#, "[DONE]"], end: .stall)
        try await withUpstream(always: response) { upstream, client in
            #expect(try await read(client) == "a")
            _ = try await upstream.nextPeerClosed(timeout: .seconds(300))
        }
    }

    @Test func storedCredentialsAndCookiesOfTheAppStayWithIt() async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let challenge = ScriptedResponse(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\""])
        let upstream = try ScriptedUpstream(group: group, script: UpstreamScript(always: challenge))
        defer { upstream.stop() }
        let space = URLProtectionSpace(
            host: "127.0.0.1", port: Int(upstream.port), protocol: "http", realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let credential = URLCredential(user: "app", password: "secret", persistence: .forSession)
        let configuration = URLSessionConfiguration.default
        let storage = try #require(configuration.urlCredentialStorage)
        storage.setDefaultCredential(credential, for: space)
        let client = try HeadgateClient(
            baseURL: "http://127.0.0.1:\(upstream.port)/v1",
            transport: URLSessionTransport(silenceTimeout: .seconds(30), configuration: configuration))
        guard case .status(let failure)? = await failure({ _ = try await client.models.list() }) else { return }
        #expect(failure.status == 401)
        #expect(upstream.requests.map { $0.headers["authorization"] } == [nil])
        // The storage belongs to the app, which uses it for other purposes.
        #expect(configuration.urlCredentialStorage != nil)
        #expect(configuration.httpShouldSetCookies)
        storage.remove(credential, for: space)
    }

    @Test func manyStreamsRunAtTheSameTime() async throws {
        try await withUpstream(always: .chatStream(words: Self.words, delay: .milliseconds(5))) { _, client in
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<24 { group.addTask { try await read(client) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "Hello wörld", count: 24))
        }
    }

    @Test func largeBodyIsReadWhole() async throws {
        let vector = Array(repeating: "0.25", count: 200_000).joined(separator: ",")
        try await withUpstream(always: .json(#"{"data":[{"index":0,"embedding":[\#(vector)]}]}"#)) { _, client in
            let embeddings = try await client.embeddings.create(model: "m", texts: ["a"])
            #expect(embeddings.vectors[0].count == 200_000)
        }
    }

    #if os(Linux)
        /// A suspended task of FoundationNetworking would send its request again.
        @Test func farLaggingReaderEndsTheExchangeWithoutResending() async throws {
            let body = ScriptedChunk(String(repeating: "x", count: 1 << 16), repeat: 320)
            try await withUpstream(always: ScriptedResponse(chunks: [body], end: .stall)) { upstream, _ in
                let server = try BaseURL("http://127.0.0.1:\(upstream.port)")
                let request = HTTPRequest(method: .post, scheme: nil, authority: server.authority, path: "/v1/x")
                let transport = URLSessionTransport()
                let (_, received) = try await transport.send(
                    request, body: .bytes([1]), baseURL: server, operationID: "x")
                guard case .stream(let source)? = received, let body = source as? any PulledBody else {
                    Issue.record("no body")
                    return
                }
                _ = try await upstream.nextPeerClosed(timeout: .seconds(60))
                var count = 0
                await #expect(throws: TransportError.self) {
                    while let chunk = try await body.next() { count += chunk.count }
                }
                #expect(count > 16 << 20)
                #expect(upstream.requests.count == 1)
            }
        }
    #endif
}
