import HeadgatePrimitives
import Testing

@testable import HeadgateClient

@Suite struct RetryMiddlewareTests {
    private static let models = PlannedResponse.json(#"{"object":"list","data":[]}"#)

    /// Returns middleware that does not actually wait, and the list of its waits.
    private func retry(attempts: Int = 3, retriesConnections: Bool = true) -> (RetryMiddleware, Locked<[Duration]>) {
        let waits = Locked<[Duration]>([])
        let middleware = RetryMiddleware(attempts: attempts, retriesConnections: retriesConnections) { wait in
            waits.withLock { $0.append(wait) }
        }
        return (middleware, waits)
    }

    private func client(_ transport: InMemoryTransport, _ retry: RetryMiddleware) throws -> HeadgateClient {
        try HeadgateClient(transport: transport, middlewares: [retry])
    }

    private static func refusal(_ status: Int, after seconds: String? = nil) -> PlannedResponse {
        .json("{}", status: status, fields: seconds.map { [.retryAfter: $0] } ?? [:])
    }

    @Test func transientRefusalIsRetriedWithTheSameBody() async throws {
        let transport = InMemoryTransport(
            Self.refusal(503), Self.refusal(429, after: "7"), .json(#"{"choices":[{"message":{"content":"a"}}]}"#))
        let (middleware, waits) = retry()
        let answer = try await client(transport, middleware).chat.complete(ChatRequest(model: "m", prompt: "p"))
        #expect(answer.text == "a")
        #expect(Set(transport.received.map(\.body)).count == 1 && transport.received.count == 3)
        let waited = waits.withLock { $0 }
        #expect(waited.count == 2 && waited[0] >= .milliseconds(375) && waited[0] <= .milliseconds(500))
        #expect(waited[1] == .seconds(7))
    }

    @Test(arguments: [400, 401, 404])
    func permanentRefusalIsNotRetried(status: Int) async throws {
        let transport = InMemoryTransport(Self.refusal(status))
        let (middleware, waits) = retry()
        await #expect(throws: HeadgateClientError.self) { _ = try await client(transport, middleware).models.list() }
        #expect(transport.received.count == 1 && waits.withLock { $0.isEmpty })
    }

    @Test func lastRefusalIsReported() async throws {
        let transport = InMemoryTransport(Self.refusal(503), Self.refusal(500))
        let (middleware, _) = retry(attempts: 2)
        do {
            _ = try await client(transport, middleware).models.list()
            Issue.record("no error")
        } catch HeadgateClientError.status(let failure) {
            #expect(failure.status == 500 && transport.received.count == 2)
        }
    }

    @Test func serverWithALongRetryAfterIsNotAwaited() async throws {
        let transport = InMemoryTransport(Self.refusal(503, after: "61"))
        let (middleware, _) = retry()
        await #expect(throws: HeadgateClientError.self) { _ = try await client(transport, middleware).models.list() }
        #expect(transport.received.count == 1)
    }

    @Test(arguments: [TransportError.Kind.connect, .closedBeforeResponse])
    func connectionIsRetriedByDefault(kind: TransportError.Kind) async throws {
        for retries in [true, false] {
            let transport = InMemoryTransport(.failing(kind), Self.models)
            let (middleware, _) = retry(retriesConnections: retries)
            let isGiven = (try? await client(transport, middleware).models.list()) != nil
            #expect(isGiven == retries && transport.received.count == (retries ? 2 : 1))
        }
    }

    @Test(arguments: [(TransportError.Kind.notReady, 2), (.responseTimeout, 1), (.tls, 1), (.cancelled, 1)])
    func serverThatMightBeWorkingIsNotRetried(kind: TransportError.Kind, requests: Int) async throws {
        for retries in [true, false] {
            let transport = InMemoryTransport(.failing(kind), Self.models)
            let (middleware, _) = retry(retriesConnections: retries)
            let isGiven = (try? await client(transport, middleware).models.list()) != nil
            #expect(isGiven == (requests == 2) && transport.received.count == requests)
        }
    }

    @Test func startedStreamIsNotRetried() async throws {
        let transport = InMemoryTransport(.words(["a"], end: .fail(.truncatedBody)))
        let (middleware, _) = retry()
        let played = try await play(
            client(transport, middleware).chat.stream(ChatRequest(model: "m", prompt: "p")), \.addedText)
        #expect(played == Played(pieces: ["a"], error: "streamTruncated") && transport.received.count == 1)
    }

    @Test func injectedFaultsBehindItAreRetried() async throws {
        let transport = InMemoryTransport(Self.models)
        let (middleware, waits) = retry(attempts: 50)
        let faults = FaultInjectionMiddleware(.status(503), percent: 50, seed: 3)
        let client = try HeadgateClient(transport: transport, middlewares: [middleware, faults])
        for _ in 0..<20 { _ = try await client.models.list() }
        #expect(transport.received.count == 20 && waits.withLock { $0.count } > 3)
    }

    @Test func delaysGrowUpToTheirBound() async throws {
        let transport = InMemoryTransport(Self.refusal(500))
        let (middleware, waits) = retry(attempts: 9)
        await #expect(throws: HeadgateClientError.self) { _ = try await client(transport, middleware).models.list() }
        let waited = waits.withLock { $0 }
        #expect(waited.count == 8 && waited.allSatisfy { $0 <= .seconds(8) })
        #expect(waited[3] >= .seconds(3) && waited[7] >= .seconds(6))
    }
}
