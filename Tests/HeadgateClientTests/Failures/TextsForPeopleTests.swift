import Foundation
import HeadgateClient
import Testing

@Suite struct TextsForPeopleTests {
    private struct Broken: LocalizedError { var errorDescription: String? { "It broke." } }

    private static let errors: [HeadgateClientError] = [
        .invalidURL("http://secret", reason: "r"), .timedOut(TransportError(.responseTimeout, "secret")),
        .connectionFailed(TransportError(.connect, "secret")), .status(StatusFailure(status: 418)),
        .streamFailed(APIError(message: "m")), .streamTruncated(nil), .unexpectedResponse("secret"),
        .alreadyResponding, .invalidRequest(reason: "r"), .refused(""), .answerCut(.length), .toolCallsCut(.length),
        .tooManyToolRounds(limit: 3), .toolFailed(name: "weather", Broken()),
    ]

    @Test func everyErrorHasASentence() {
        for error in Self.errors {
            let text = error.errorDescription ?? ""
            #expect(text.hasSuffix(".") && !text.contains("secret"), "\(text)")
            #expect(!(error.recoverySuggestion ?? "").contains("secret"))
            // What SwiftUI's alerts show.
            #expect((error as any Error).localizedDescription == text)
        }
    }

    @Test func serverAndToolSayWhy() {
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

    @Test func requestThatIsNoJSONIsNotSent() async throws {
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
