import HeadgateClient
import HeadgateClientURLSession
import HeadgateTesting
import Testing

/// The Swift client, as an app uses it, through the gateway to an upstream.
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

    @Test func appsOwnHeadersReachTheUpstreamWhereTheyAreForwarded() async throws {
        let running = try RunningGateway(
            UpstreamScript(always: .chatStream(words: ["Hel", "lo"])), forwardedHeaders: ["app-os", "client-id"])
        let seen = try await ask(running)
        #expect(seen.headers.values(of: "app-os") == ["iOS"])
        #expect(seen.headers.values(of: "client-id") == ["installation-7"])
        #expect(seen.headers.values(of: "authorization") == ["Bearer \(RunningGateway.upstreamKey)"])
    }

    @Test func gatewaysOwnHeadersStandWhereNothingIsForwarded() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatStream(words: ["Hel", "lo"])))
        let seen = try await ask(running)
        #expect(seen.headers.values(of: "app-os") == ["linux"])
        #expect(seen.headers.values(of: "client-id") == ["my-app"])
    }
}
