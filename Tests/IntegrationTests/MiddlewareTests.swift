import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting
import HeadgateUpstream
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Middleware of every kind, in a gateway on real sockets.
@Suite struct MiddlewareTests {
    private let pauses = Mailbox<Bool>()
    private let statuses = Mailbox<Int>()

    private func gateway(
        _ script: UpstreamScript, perRequest: [any RelayMiddleware] = [], perAttempt: [any UpstreamMiddleware] = []
    ) throws -> RunningGateway {
        try RunningGateway(
            script,
            adding: perRequest.map { .added("test", perRequest: $0) }
                + perAttempt.map { .added("test", perAttempt: $0) })
    }

    @Test func middlewareCanRespondDirectly() async throws {
        let running = try gateway(
            UpstreamScript(always: .chatCompletion("never")),
            perRequest: [EarlyResponse(text: #"{"early":true}"#), SecondTry(pause: .zero, pauses: pauses)])
        let response = try await running.ask()
        #expect(response.status == 200 && response.text == #"{"early":true}"#)
        #expect(running.upstream.requests.isEmpty)
    }

    @Test func middlewareCanWaitAndRetry() async throws {
        let running = try gateway(
            UpstreamScript(inOrder: [.openAIError(status: 500, message: "no"), .chatCompletion("yes")]),
            perRequest: [SecondTry(pause: .milliseconds(1), pauses: pauses)])
        let response = try await running.ask()
        #expect(response.status == 200 && response.text.contains("yes"))
        #expect(running.upstream.requests.count == 2)
        #expect(await running.log.next().contains(#""outcome":"finished""#))
    }

    @Test func secondFailureIsTheResponse() async throws {
        let running = try gateway(
            UpstreamScript(inOrder: [.openAIError(status: 500, message: "a"), .openAIError(status: 503, message: "b")]),
            perRequest: [SecondTry(pause: .zero, pauses: pauses)])
        let response = try await running.ask()
        #expect(response.status == 503, "\(response.text)")
        #expect(running.upstream.requests.count == 2)
    }

    @Test(arguments: [false, true])
    func middlewareCanChangeTheBytesOfAResponse(isStream: Bool) async throws {
        let response = isStream ? ScriptedResponse.chatStream(words: ["one~", "two~"]) : .chatCompletion("one~two~")
        let running = try gateway(UpstreamScript(always: response), perAttempt: [Exclamation()])
        guard isStream else {
            #expect(try await running.ask().text.contains("one!two!"))
            return
        }
        let events = try await running.openStream().readEvents()
        #expect(events.joined().contains("one!") && events.joined().contains("two!") && events.last == "[DONE]")
    }

    @Test(arguments: [false, true])
    func clientLibraryMiddlewareWorks(isStream: Bool) async throws {
        let response = isStream ? ScriptedResponse.chatStream(words: ["one", "two"]) : .chatCompletion("one")
        let running = try gateway(
            UpstreamScript(always: response), perAttempt: [TaskMiddleware(AsyncMark(statuses: statuses))])
        if isStream {
            #expect(try await running.openStream().readEvents().last == "[DONE]")
        } else {
            #expect(try await running.ask().status == 200)
        }
        let request = try #require(running.upstream.requests.first)
        #expect(request.headers["x-mark"] == "createChatCompletion")
        #expect(request.headers["authorization"] == "Bearer \(RunningGateway.upstreamKey)")
        #expect(try await statuses.next(timeout: .seconds(60), "a status") == 200)
    }

    private struct OwnResponse: UpstreamMiddleware {
        func intercept(
            _: UpstreamRequest, next _: UpstreamNext, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
            completion(.success(UpstreamResponse(ResponseHead(head), .bytes(Array(#"{"own":1}"#.utf8)))))
            return nil
        }
    }

    @Test func onlyReceivedStatusesCountForTheUpstream() async throws {
        let script = UpstreamScript(always: .chatCompletion("one"))
        let own = try gateway(script, perAttempt: [OwnResponse()])
        #expect(try await own.ask().text == #"{"own":1}"#)
        #expect(own.upstream.requests.isEmpty)
        #expect(!(await own.log.next()).contains("upstream_status"))
        let relayed = try gateway(script, perAttempt: [TaskMiddleware(AsyncMark(statuses: statuses)), Exclamation()])
        #expect(try await relayed.ask().status == 200)
        #expect(await relayed.log.next().contains(#""upstream_status":200"#))
    }

    private struct Refusal: ClientMiddleware, Error {
        func intercept(
            _: HTTPRequest, body _: HTTPBody?, baseURL _: BaseURL, operationID _: String, next _: ClientSend
        ) async throws -> (HTTPResponse, HTTPBody?) { throw self }
    }

    @Test func throwingMiddlewareIsAGatewayFailure() async throws {
        let running = try gateway(
            UpstreamScript(always: .chatCompletion("never")), perAttempt: [TaskMiddleware(Refusal())])
        let response = try await running.ask()
        #expect(response.status == 500 && response.text.contains("middleware_failed"), "\(response.text)")
        let line = await running.log.next()
        #expect(line.contains("Refusal") && !response.text.contains("Refusal"), "\(line)")
        #expect(running.upstream.requests.isEmpty)
    }

    /// Middleware that throws a cancellation itself, as a time limit does.
    private struct Impatience: ClientMiddleware {
        func intercept(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID _: String, next: ClientSend
        ) async throws -> (HTTPResponse, HTTPBody?) {
            _ = try await next(request, body, baseURL)
            throw CancellationError()
        }
    }

    @Test func middlewareCancellationIsNotADisconnect() async throws {
        let running = try gateway(
            UpstreamScript(always: .chatStream(words: ["one"]).stalling(afterChunks: 1)),
            perAttempt: [TaskMiddleware(Impatience())])
        let response = try await running.ask(RunningGateway.body(stream: true))
        #expect(response.status == 500 && response.text.contains("middleware_failed"), "\(response.text)")
        #expect(await running.log.next().contains("CancellationError"))
        _ = try await running.upstream.nextPeerClosed()
    }

    /// Middleware that sets the framing headers, as middleware that changes a body can.
    private struct Framer: ClientMiddleware {
        func intercept(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID _: String, next: ClientSend
        ) async throws -> (HTTPResponse, HTTPBody?) {
            var request = request
            request.headerFields[.contentLength] = "2"
            request.headerFields[.transferEncoding] = "chunked"
            return try await next(request, .bytes(Array("{}\n".utf8)), baseURL)
        }
    }

    @Test func gatewaySetsTheFramingHeaders() async throws {
        let running = try gateway(
            UpstreamScript(always: .chatCompletion("ok")), perAttempt: [TaskMiddleware(Framer())])
        #expect(try await running.ask().status == 200)
        let request = try #require(running.upstream.requests.first)
        #expect(request.headers["content-length"] == "3" && request.headers["transfer-encoding"] == nil)
    }

    @Test func secondAttemptIsIndependentOfTheFirst() async throws {
        let running = try gateway(
            UpstreamScript(inOrder: [.openAIError(status: 500, message: "no")]),
            perRequest: [SecondTry(pause: .zero, pauses: pauses)], perAttempt: [Once(failing: .connect)])
        let response = try await running.ask()
        #expect(response.status == 502, "\(response.text)")
        #expect(!(await running.log.next().contains("upstream_status")))
    }

    // MARK: Disconnects

    enum Phase: String, CaseIterable, Sendable {
        case inTheAsyncMiddleware, waitingForTheHead, inTheAsyncMiddlewareWithTheResponse
        case pausingBeforeTheSecondTry, beforeTheFirstEvent, inTheStream

        var response: ScriptedResponse {
            switch self {
            case .inTheAsyncMiddleware, .waitingForTheHead: ScriptedResponse(chunks: [], endBeforeHead: .stall)
            case .pausingBeforeTheSecondTry: .openAIError(status: 500, message: "no")
            case .beforeTheFirstEvent:
                ScriptedResponse(
                    headers: ["Content-Type": "text/event-stream"], chunks: [ScriptedChunk(": thinking\n\n")]
                ).ending(.stall)
            case .inTheStream, .inTheAsyncMiddlewareWithTheResponse:
                .chatStream(words: ["one~", "two~"]).stalling(afterChunks: 3)
            }
        }
    }

    private func waitUntil(_ phase: Phase, _ running: RunningGateway) async throws {
        switch phase {
        case .inTheAsyncMiddleware: _ = try await statuses.next(timeout: .seconds(60), "the middleware")
        case .waitingForTheHead: _ = try await running.upstream.nextEvent(.requestReceived(0))
        case .inTheAsyncMiddlewareWithTheResponse:
            while try await statuses.next(timeout: .seconds(60), "the response") != 200 {}
        case .pausingBeforeTheSecondTry: _ = try await pauses.next(timeout: .seconds(60), "the pause")
        case .beforeTheFirstEvent: _ = try await running.upstream.nextEvent(.chunkSent(0, 0))
        case .inTheStream: _ = try await running.upstream.nextEvent(.chunkSent(0, 2))
        }
    }

    /// All kinds of middleware are in the chain. In every phase the outcome reports the disconnect, and no object of
    /// the request stays in memory.
    @Test(arguments: Phase.allCases, ["FIN", "RST"])
    func requestOfADepartedClientLeavesNothing(_ phase: Phase, _ departure: String) async throws {
        let waitsAfter = phase == .inTheAsyncMiddlewareWithTheResponse
        let mark = AsyncMark(
            wait: waitsAfter || phase == .inTheAsyncMiddleware ? .seconds(3600) : nil, waitsAfter: waitsAfter,
            statuses: statuses)
        let living = LivingObjects()
        let running = try gateway(
            UpstreamScript(always: phase.response),
            perRequest: [living, SecondTry(pause: .seconds(3600), pauses: pauses)],
            perAttempt: [living, TaskMiddleware(mark), Exclamation(), living])
        let connection = try await running.client.raw(port: running.port, running.streamRequest)
        try await waitUntil(phase, running)
        if departure == "FIN" { connection.close() } else { connection.reset() }
        let line = await running.log.next()
        #expect(line.contains(#""outcome":"client_gone""#), "\(line)")
        #expect(living.count >= 3)
        #expect(await living.areGone(from: running.group), "\(living.names) are still there")
    }
}
