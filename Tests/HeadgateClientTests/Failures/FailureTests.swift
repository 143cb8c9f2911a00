import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateClient

@Suite struct FailureTests {
    private func failure(_ response: PlannedResponse) async throws -> StatusFailure {
        let client = try client(of: InMemoryTransport(response))
        for isStream in [false, true] {
            do {
                if isStream {
                    for try await _ in client.chat.stream(ChatRequest(model: "m", prompt: "p")) {}
                } else {
                    _ = try await client.chat.complete(ChatRequest(model: "m", prompt: "p"))
                }
                Issue.record("no error")
            } catch HeadgateClientError.status(let failure) {
                if isStream { return failure }
            }
        }
        return StatusFailure(status: 0)
    }

    @Test(
        arguments: [
            (
                #"{"error":{"message":"no","type":"t","param":"p","code":"c"}}"#,
                APIError(message: "no", type: "t", param: "p", code: "c")
            ),
            (#"{"error":{"message":"no"}}"#, APIError(message: "no")),
            (#"{"error":{"message":["no","never"],"code":42}}"#, APIError(message: "no; never", code: "42")),
            (
                #"{"error":{"message":["a","b",3,"c"],"code":429,"type":null,"param":["x","y"]}}"#,
                APIError(message: "a; b; c", param: "x,y", code: "429")
            ),
            (
                #"{"error":{"message":null,"type":"t","param":null,"code":null}}"#,
                APIError(message: "The server gave no message.", type: "t")
            ),
            (#"{"error":"no"}"#, APIError(message: "no")),
            (
                #"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#,
                APIError(message: "busy", type: "overloaded_error")
            ),
            (#"{"message":"bare","code":"c"}"#, APIError(message: "bare", code: "c")),
            ("<html>", nil), ("", nil), ("{}", nil), (#"{"error":null}"#, nil), ("[1]", nil),
        ] as [(String, APIError?)])
    func bodyOfAnErrorIsDecodedInEveryForm(body: String, expected: APIError?) async throws {
        var response = PlannedResponse.json(body, status: 400, fields: [HTTPField.Name("x-request-id")!: "r1"])
        #expect(try await failure(response) == StatusFailure(status: 400, error: expected, requestID: "r1"))
        response.fields[.contentType] = "text/html"
        #expect(try await failure(response).error == expected)
    }

    @Test func truncatedBodyKeepsTheStatus() async throws {
        let response = PlannedResponse(status: 502, fields: [:], chunks: [Array("{".utf8)], end: .fail(.truncatedBody))
        #expect(try await failure(response) == StatusFailure(status: 502))
    }

    @Test func redirectIsAnError() async throws {
        #expect(try await failure(PlannedResponse(status: 307, fields: [.location: "http://elsewhere/"])).status == 307)
    }

    @Test(
        arguments: [
            (429, ["retry-after": "3"], true, Duration.seconds(3)),
            (429, ["retry-after": "0.5"], true, .milliseconds(500)),
            (429, ["retry-after-ms": "250", "retry-after": "3"], true, .milliseconds(250)),
            (503, ["retry-after": "-1"], true, .zero),
            (503, ["retry-after": "121"], false, .seconds(121)),
            (429, ["x-should-retry": "false"], false, nil),
            (400, ["x-should-retry": "true"], true, nil),
            (400, [:], false, nil), (404, [:], false, nil), (408, [:], true, nil), (409, [:], true, nil),
            (500, [:], true, nil),
            (
                429, ["retry-after": "Sun, 06 Nov 1994 08:50:07 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT"], true,
                .seconds(30)
            ),
            (
                429, ["retry-after": "Mon, 01 Jan 2024 00:00:10 GMT", "date": "Sun, 31 Dec 2023 23:59:50 GMT"], true,
                .seconds(20)
            ),
            (
                429, ["retry-after": "Thu, 29 Feb 2024 00:00:00 GMT", "date": "Wed, 28 Feb 2024 23:59:00 GMT"], true,
                .seconds(60)
            ),
            (429, ["retry-after": "Sun, 06 Nov 1994 08:50:07 GMT"], true, nil),
            (429, ["retry-after": "soon"], true, nil),
        ] as [(Int, [String: String], Bool, Duration?)])
    func retryHintIsTheServers(status: Int, fields: [String: String], isRetryable: Bool, delay: Duration?)
        async throws
    {
        var response = PlannedResponse.json("{}", status: status)
        for (name, value) in fields { response.fields[HTTPField.Name(name)!] = value }
        let failure = try await failure(response)
        #expect(failure.retryHint == RetryHint(isRetryable: isRetryable, delay: delay))
        #expect(HeadgateClientError.status(failure).retryHint?.isRetryable == (isRetryable ? true : nil))
    }

    @Test(arguments: [
        (TransportError.Kind.connect, "connectionFailed"), (.connectTimeout, "timedOut"),
        (.responseTimeout, "timedOut"), (.unreachable, "connectionFailed"),
        (.closedBeforeResponse, "connectionFailed"), (.tls, "connectionFailed"),
        (.protocolViolation, "connectionFailed"),
    ])
    func failureOfTheTransportIsTyped(kind: TransportError.Kind, expected: String) async throws {
        let client = try client(of: InMemoryTransport(.failing(kind)))
        do {
            _ = try await client.models.list()
            Issue.record("no error")
        } catch let error as HeadgateClientError {
            #expect(error.kind == expected)
            #expect(error.retryHint == RetryHint(isRetryable: true, delay: nil))
        }
        #expect(try await play(client.chat.stream(ChatRequest(model: "m", prompt: "p")), \.addedText).error == expected)
    }

    @Test func cancelledTransportIsACancellation() async throws {
        let client = try client(of: InMemoryTransport(.failing(.cancelled)))
        await #expect(throws: CancellationError.self) { _ = try await client.models.list() }
    }

    @Test(arguments: [
        (#"{"choices":[{"message":7}]}"#, 23, "choices[0].message"),
        (#"{"choices":[{"message":{}},{"index":"x","message":{}}]}"#, 36, "choices[1].index"),
        (#"{ "id": "c" }"#, 0, ""),
        (#"{"choices":[}"#, 12, ""),
        (#"{"choices":["#, 12, ""),
    ])
    func placeOfTheFaultIsKnown(body: String, offset: Int, path: String) async throws {
        let client = try client(of: InMemoryTransport(.json(body)))
        do {
            _ = try await client.chat.complete(ChatRequest(model: "m", prompt: "p"))
            Issue.record("no error")
        } catch HeadgateClientError.decoding(let failure) {
            #expect(failure.offset == offset)
            #expect(failure.path == path)
            #expect(body.hasSuffix(failure.excerpt) && failure.excerpt.count >= min(body.count, 32))
            #expect(!failure.description.contains(body))
        }
    }

    @Test func excerptIsShort() {
        let bytes = [UInt8](repeating: 0x61, count: 1000)
        let failure = DecodingFailure(offset: 500, reason: "r", in: bytes)
        #expect(failure.excerpt.utf8.count == 64)
        #expect(DecodingFailure(offset: 1000, reason: "r", in: bytes).excerpt.utf8.count == 32)
    }
}
