import Foundation
import HeadgateOpenAPI
import Testing

@testable import HeadgateClient

@Suite struct TextsForPeopleTests {
    private struct Broken: LocalizedError { var errorDescription: String? { "It broke." } }

    private static let errors: [HeadgateClientError] = [
        .invalidURL("http://secret", reason: "r"), .timedOut(TransportError(.responseTimeout, "secret")),
        .connectionFailed(TransportError(.connect, "secret")), .status(StatusFailure(status: 418)),
        .streamFailed(APIError(message: "m")), .streamTruncated(nil), .unexpectedResponse("secret"),
        .alreadyResponding, .invalidRequest(reason: "r"), .refused(""), .answerCut(.length), .toolCallsCut(.length),
        .tooManyToolRounds(limit: 3), .toolFailed(name: "weather", Broken()),
        .decoding(DecodingFailure(path: "secret", reason: "secret")),
    ]

    @Test func everyErrorHasASentence() {
        for error in Self.errors {
            let text = error.errorDescription ?? ""
            #expect(text.hasSuffix(".") && !text.contains("secret"), "\(text)")
            #expect(!(error.recoverySuggestion ?? "").contains("secret"))
            // Alerts of SwiftUI show this text.
            #expect((error as any Error).localizedDescription == text)
        }
    }

    @Test(
        arguments: [
            .notReady, .unavailable, .connect, .unreachable, .connectTimeout, .tls, .encoding, .responseTimeout,
            .silenceTimeout, .closedBeforeResponse, .truncatedBody, .protocolViolation, .notRecorded, .middleware,
            .cancelled,
        ] as [TransportError.Kind])
    func failureOfTheTransportHasASentence(kind: TransportError.Kind) {
        let text = (TransportError(kind, "secret") as any Error).localizedDescription
        #expect(text.hasSuffix(".") && !text.contains("secret") && !text.contains("TransportError"))
    }

    @Test func partsOfErrorsHaveTheirSentences() {
        let parts: [(any Error, String)] = [
            (StatusFailure(status: 401), "The server does not accept the key."), (APIError(message: "No."), "No."),
            (DecodingFailure(path: "secret", reason: "secret"), "The server's answer cannot be read."),
            (UnexpectedResponse.missingBody(status: 200), "A response with status 200 has no body."),
            (UnimplementedOperation(operationID: "a"), "The operation 'a' is not implemented."),
            (RequestViolation.missingBody, "The request has no body."),
        ]
        for (error, sentence) in parts { #expect(error.localizedDescription == sentence) }
    }

    @Test func serverAndToolErrorsHaveReasons() {
        let failure = StatusFailure(status: 429, error: APIError(message: "slow down"))
        #expect(HeadgateClientError.status(failure).failureReason == "slow down")
        #expect(HeadgateClientError.toolFailed(name: "t", Broken()).failureReason == "It broke.")
    }

    @Test(
        arguments: [
            (401, nil, "Check the key in the settings."), (429, .milliseconds(2500), "Try again in 3 seconds."),
            (503, .seconds(600), "Try again in 11 minutes."), (500, nil, "Try again in a moment."), (400, nil, nil),
        ] as [(Int, Duration?, String?)])
    func adviceFollowsTheStatus(status: Int, delay: Duration?, expected: String?) {
        let hint = RetryHint(isRetryable: status >= 429, delay: delay)
        let error = HeadgateClientError.status(StatusFailure(status: status, retryHint: hint))
        #expect(error.recoverySuggestion == expected)
    }

    @Test func requestThatIsNotJSONIsNotSent() async throws {
        let transport = InMemoryTransport(.json("{}"))
        let request = ChatRequest(model: "m", prompt: "secret", options: ChatOptions(temperature: .infinity))
        do {
            _ = try await client(of: transport).chat.complete(request)
            Issue.record("no error")
        } catch HeadgateClientError.invalidRequest(let reason) {
            #expect(reason == "what stands at 'temperature' has no form in JSON")
        }
        #expect(transport.received.isEmpty)
    }
}
