import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Everything that a capability can add, added from outside the gateway.
@Suite struct AddedCapabilityTests {
    private let greeting = Greeting(unwelcome: "limited")
    private let gateway: InProcessGateway

    init() {
        let transport = PlannedTransport(.answer("Hi"))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: nil, transport: transport)
        gateway = InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "plain", upstream: "up")],
            keys: InProcessGateway.keys, metrics: CountedRequests(), adding: [greeting.capability])
    }

    @Test func middlewareAndObserverSeeTheRequest() async throws {
        let answer = await gateway.chat(model: "plain")
        let name = try #require(HTTPField.Name("x-greeting"))
        #expect(answer.status == 200 && answer.headerFields[name] == "Hello")
        #expect(greeting.counts.withLock(\.self) == .init(attempts: 1, outcomes: ["createChatCompletion"]))
    }

    @Test func gateRefusesBeforeTheRequestIsSent() async {
        let answer = await gateway.ask(.get, "/v1/models", key: InProcessGateway.limitedKey)
        #expect(answer.status == 403 && greeting.counts.withLock(\.attempts) == 0)
    }

    @Test func routeIsServedBehindItsAuthentication() async {
        #expect(await gateway.ask(.get, "/greeting").text == #"{"greeting":"Hello, test"}"#)
        #expect(await gateway.ask(.get, "/greeting", key: nil).status == 401)
        #expect(await gateway.ask(.post, "/greeting", body: "{}").status == 405)
        #expect(gateway.gateway.routes.contains { $0.operationID == "getGreeting" && $0.path == "/greeting" })
    }

    @Test func readinessAndMetricsIncludeIt() async {
        _ = await gateway.chat(model: "plain")
        #expect(await gateway.ask(.get, "/readyz?verbose").text.contains(#""greeting":{"attempts":1}"#))
        let metrics = await gateway.ask(.get, "/metrics").text
        #expect(metrics.contains("# TYPE greeting_attempts_total counter"))
        #expect(metrics.contains("greeting_attempts_total 1"))
    }
}
