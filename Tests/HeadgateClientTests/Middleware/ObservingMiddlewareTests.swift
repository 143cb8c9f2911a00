import HTTPTypes
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateClient

/// Logs and metrics.
@Suite struct ObservingMiddlewareTests {
    private let request = ChatRequest(model: "m", prompt: "secret prompt")

    private func records(
        _ transport: InMemoryTransport, _ use: (HeadgateClient) async throws -> Void
    ) async throws -> [ExchangeRecord] {
        let records = Locked<[ExchangeRecord]>([])
        let client = try HeadgateClient(
            apiKey: "hg-secret", transport: transport,
            middlewares: [LoggingMiddleware { record in records.withLock { $0.append(record) } }])
        try await use(client)
        return records.withLock { $0 }
    }

    @Test func recordHasTheEndOfAStream() async throws {
        var response = PlannedResponse.words(["Hel", "lo"])
        response.fields[HTTPField.Name("x-request-id")!] = "r1"
        let octets = response.chunks.map(\.count).reduce(0, +)
        let records = try await records(InMemoryTransport(response)) { client in
            for try await _ in client.chat.stream(request) {}
        }
        let record = try #require(records.first)
        #expect(records.count == 1 && record.operationID == "createChatCompletion" && record.status == 200)
        #expect(record.request == "POST /v1/chat/completions" && record.server == "127.0.0.1:8686")
        #expect(record.end == .complete && record.receivedBytes == octets && record.requestID == "r1")
        #expect(record.timeToHead != nil && record.timeToFirstByte != nil && !record.isFailure)
        #expect(!"\(record)".contains("secret") && "\(record)".hasSuffix(", request r1"))
    }

    @Test func failuresAndDepartingReadersAreReported() async throws {
        let broken = try await records(InMemoryTransport(.words(["a"], end: .fail(.truncatedBody)))) { client in
            _ = try await play(client.chat.stream(request), \.addedText)
        }
        #expect(broken.map(\.end) == [.failed("truncatedBody")])
        let unreachable = try await records(InMemoryTransport(.failing(.connect))) { client in
            _ = try? await client.models.list()
        }
        #expect(unreachable.map(\.end) == [.failed("connect")] && unreachable[0].isFailure)
        let cancelled = try await records(InMemoryTransport(.failing(.cancelled))) { client in
            _ = try? await client.models.list()
        }
        #expect(cancelled.map(\.end) == [.left] && !cancelled[0].isFailure)
        let refused = try await records(InMemoryTransport(.json("{}", status: 429))) { client in
            _ = try? await client.models.list()
        }
        #expect(refused.map(\.status) == [429] && refused[0].end == .complete && refused[0].isFailure)
        let left = try await records(InMemoryTransport(.words(["a", "b"], end: .stall))) { client in
            for try await _ in client.chat.stream(request) { break }
        }
        #expect(left.map(\.end) == [.left] && !left[0].isFailure)
    }

    @Test func metricsCountRequestsByOutcome() async throws {
        let metrics = MetricsMiddleware()
        let transport = InMemoryTransport(
            .json(#"{"object":"list","data":[]}"#), .json("{}", status: 503), .words(["a"], end: .stall))
        let client = try HeadgateClient(transport: transport, middlewares: [metrics])
        _ = try await client.models.list()
        _ = try? await client.models.list()
        for try await _ in client.chat.stream(request) {
            #expect(metrics.counts["createChatCompletion"]?.inFlight == 1)
            break
        }
        let models = try #require(metrics.counts["listModels"])
        #expect(models.requests == 2 && models.failures == 1 && models.statuses == [200: 1, 503: 1])
        #expect(models.inFlight == 0 && models.duration.count == 2 && models.duration.mean != nil)
        let chat = try #require(metrics.counts["createChatCompletion"])
        #expect(chat.left == 1 && chat.inFlight == 0 && chat.receivedBytes > 0)
    }

    @Test func requestIDOfAServerIsSafeForALog() {
        #expect(RequestID.printable("r-1_\u{1B}[31m\r\nä x\u{7F}") == "r-1_[31mx")
        #expect(RequestID.printable(String(repeating: "a", count: 500)) == String(repeating: "a", count: 128))
        #expect(RequestID.printable(" ") == nil)
    }

    @Test func timesInALineHaveThreeDigits() {
        var record = ExchangeRecord(operationID: "o", request: "GET /", server: "s")
        record.duration = .milliseconds(1007)
        #expect(record.description == "o: GET / at s -> no response in 1.007 s, 0 bytes")
    }
}

/// Bodies in middleware.
@Suite struct BodySequenceTests {
    /// Middleware as an app writes it, which puts the text of every response in capitals.
    private struct Shouting: ClientMiddleware {
        func intercept(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
        ) async throws -> (HTTPResponse, HTTPBody?) {
            let (response, body) = try await next(request, body, baseURL)
            var bytes: [UInt8] = []
            if let body { for try await chunk in body { bytes += chunk } }
            return (response, HTTPBody(String(decoding: bytes, as: UTF8.self).replacing("hi", with: "HI")))
        }
    }

    @Test(arguments: PlannedResponse.Style.allCases)
    func responseIsASequenceOfItsBytes(style: PlannedResponse.Style) async throws {
        let text = Events.delta("hi") + Events.stop() + Events.done
        let transport = InMemoryTransport(.stream(text, style: style))
        let client = try HeadgateClient(transport: transport, middlewares: [Shouting()])
        let played = try await play(client.chat.stream(ChatRequest(model: "m", prompt: "p")), \.addedText)
        #expect(played.pieces == ["HI", ""])
    }
}
