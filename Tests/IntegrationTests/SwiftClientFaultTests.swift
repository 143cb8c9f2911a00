import HeadgateClient
import HeadgateClientURLSession
import HeadgateTesting
import Testing

/// Every fault that an app's tests can inject, over the apps' transport.
@Suite(.timeLimit(.minutes(10))) struct SwiftClientFaultTests {
    private static let words = ["Hel", "lo, ", "you"]

    private func gateway() throws -> RunningGateway {
        try RunningGateway(UpstreamScript(always: .chatStream(words: Self.words)))
    }

    private func client(of running: RunningGateway, _ middleware: FaultInjectionMiddleware) throws -> HeadgateClient {
        try HeadgateClient(
            baseURL: "http://127.0.0.1:\(running.port)/v1", apiKey: RunningGateway.clientKey,
            transport: URLSessionTransport(), middlewares: [middleware])
    }

    private func kind(_ error: HeadgateClientError) -> String {
        switch error {
        case .timedOut: "timedOut"
        case .decoding: "decoding"
        case .unexpectedResponse: "unexpectedResponse"
        default: "other"
        }
    }

    /// Returns the received text, and the error that ended it; nil for a complete response.
    private func read(
        _ middleware: FaultInjectionMiddleware
    ) async throws -> (text: String, error: HeadgateClientError?) {
        let running = try gateway()
        let client = try client(of: running, middleware)
        var text = ""
        do {
            for try await piece in client.chat.stream(ChatRequest(model: "scripted", prompt: "p")).text {
                text += piece
            }
        } catch let error as HeadgateClientError {
            return (text, error)
        }
        return (text, nil)
    }

    @Test func statusFaultReplacesTheResponse() async throws {
        let running = try gateway()
        let client = try client(of: running, FaultInjectionMiddleware(.status(429, retryAfter: 7)))
        do {
            _ = try await client.chat.complete(ChatRequest(model: "scripted", prompt: "p"))
            Issue.record("no error")
        } catch HeadgateClientError.status(let failure) {
            #expect(failure.status == 429)
            #expect(failure.error?.code == "fault_injected")
            #expect(HeadgateClientError.status(failure).retryHint != nil)
        }
        #expect(running.upstream.requests.isEmpty)
    }

    @Test func errorCanComeWithStatus200() async throws {
        let (text, error) = try await read(FaultInjectionMiddleware(.errorIn200))
        #expect(text.isEmpty)
        #expect(error != nil)
    }

    @Test func cutAndResetStreamsAreIncomplete() async throws {
        for fault in [InjectedFault.cutAfterEvents(2), .resetAfterEvents(2)] {
            let (text, error) = try await read(FaultInjectionMiddleware(fault))
            // The first of the two events is the role.
            #expect(text == Self.words[0])
            #expect(error != nil)
        }
    }

    @Test func resetBeforeTheHeadIsNotAResponse() async throws {
        let running = try gateway()
        let client = try client(of: running, FaultInjectionMiddleware(.resetAfterEvents(0)))
        await #expect(throws: HeadgateClientError.self) {
            _ = try await client.chat.complete(ChatRequest(model: "scripted", prompt: "p"))
        }
        #expect(running.upstream.requests.isEmpty)
    }

    @Test func stallEndsWithTheTimeoutOfTheTransport() async throws {
        let (text, error) = try await read(
            FaultInjectionMiddleware(.stallAfterEvents(2), silenceTimeout: .milliseconds(20)))
        #expect(text == Self.words[0])
        #expect(error.map(kind) == "timedOut", "\(String(describing: error))")
    }

    @Test func stallWithoutATimeoutEndsWithItsReader() async throws {
        let running = try gateway()
        let client = try client(of: running, FaultInjectionMiddleware(.stallAfterEvents(2)))
        let begun = Mailbox<Bool>()
        let reading = Task {
            for try await _ in client.chat.stream(ChatRequest(model: "scripted", prompt: "p")).text { begun.post(true) }
        }
        _ = try await begun.next(timeout: .seconds(60), "a piece")
        reading.cancel()
        _ = await reading.result
    }

    @Test func lateHeadAndLateContentLoseNothing() async throws {
        let delay = Duration.milliseconds(30)
        let start = ContinuousClock.now
        let (text, error) = try await read(FaultInjectionMiddleware(.delayHead(delay), .delayContent(delay)))
        #expect(text == Self.words.joined() && error == nil)
        #expect(start.duration(to: .now) >= delay * 2)
    }

    @Test func lateContentIsATimeout() async throws {
        let (_, error) = try await read(
            FaultInjectionMiddleware(.delayContent(.seconds(3600)), silenceTimeout: .milliseconds(20)))
        #expect(error.map(kind) == "timedOut", "\(String(describing: error))")
    }

    @Test func slowBodyInPiecesLosesNothing() async throws {
        let (text, error) = try await read(
            FaultInjectionMiddleware(.drip(octetsPerSecond: 20_000), .split(octets: 1)))
        #expect(text == Self.words.joined() && error == nil)
    }

    @Test func malformedEventIsReportedAsSuch() async throws {
        let (text, error) = try await read(FaultInjectionMiddleware(.malformedJSON(event: 3)))
        #expect(text == Self.words[0])
        #expect(error.map(kind) == "decoding", "\(String(describing: error))")
    }

    @Test func otherMediaTypeIsSeen() async throws {
        let (text, error) = try await read(FaultInjectionMiddleware(.contentType("text/html")))
        #expect(text.isEmpty)
        #expect(error.map(kind) == "unexpectedResponse", "\(String(describing: error))")
    }

    @Test func seedReproducesTheSameFaults() async throws {
        let running = try gateway()
        func failures(seed: Int) async throws -> [Bool] {
            let client = try client(of: running, FaultInjectionMiddleware(.status(500), percent: 50, seed: seed))
            var failures: [Bool] = []
            for _ in 0..<12 {
                let response = try? await client.models.list()
                failures.append(response == nil)
            }
            return failures
        }
        let first = try await failures(seed: 7)
        #expect(first.contains(true) && first.contains(false))
        #expect(try await failures(seed: 7) == first)
        #expect(try await failures(seed: 8) != first)
    }

    @Test func noFaultsWithoutAShare() async throws {
        let (text, error) = try await read(FaultInjectionMiddleware(.status(500), percent: 0))
        #expect(text == Self.words.joined() && error == nil)
    }
}
