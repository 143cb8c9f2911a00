import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Upstreams that echo their request.
@Suite struct EchoedSecretTests {
    private static let header = "tenant-7c1e55aa90"
    /// A key that this request did not use.
    private static let secondKey = "sk-second-5e1f90d2c7b84a36"
    /// A key that a key command has printed since the start.
    private static let issuedKey = "ya29.issued-0c4d1be77f20"

    private func answer(_ message: String, status: Int, stream: Bool = false) async -> InProcessGateway.Response {
        let text = #"{"error":{"message":"\#(message)","type":"\#(message)","code":"\#(message)"}}"#
        let plan: PlannedTransport.Plan =
            stream
            ? PlannedTransport.Plan(
                headerFields: [.contentType: "text/event-stream"],
                chunks: ["data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n", "data: \(text)\n\n"])
            : .json(text, status: status)
        let transport = PlannedTransport(plan)
        var configuration = UpstreamConfiguration(name: "up", kind: .openai)
        configuration.apiKeys = [Secret(InProcessGateway.upstreamKey), Secret(Self.secondKey)]
        configuration.headers = [HeaderConfiguration(name: "X-Tenant", value: Self.header)]
        let upstream = UpstreamDefinition(
            configuration, baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credentials: configuration.apiKeys,
            issuedKeys: IssuedKeys(known: { [Secret(Self.issuedKey)] }, status: { "ready" })
        ) { _ in transport }
        let running = InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "plain", upstream: "up")],
            keys: [])
        return await running.chat(stream: stream)
    }

    @Test(arguments: [400, 403, 429, 500], [false, true])
    func echoedSecretNeverReachesTheClient(_ status: Int, _ stream: Bool) async {
        for secret in [InProcessGateway.upstreamKey, Self.secondKey, Self.issuedKey, Self.header] {
            let base64 = Data("key:\(secret)".utf8).base64EncodedString()
            let hex = secret.utf8.map { "%" + String($0, radix: 16) }.joined()
            for form in [secret, String(secret.prefix(16)), base64, hex] {
                let answer = await answer("Got \(form) from you", status: status, stream: stream)
                #expect(answer.text.contains("[redacted]"))
                #expect(!answer.text.contains(form), "\(answer.text)")
                #expect(!answer.text.contains(String(secret.suffix(8))))
            }
        }
    }
}
