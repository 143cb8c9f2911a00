import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct OverloadGateTests {
    private final class Load: LoadWatch {
        let isTooMuch: Bool
        private let refused = Locked(0)

        init(_ isTooMuch: Bool) { self.isTooMuch = isTooMuch }

        var refusals: Int { refused.withLock(\.self) }

        func refuses() -> Bool {
            if isTooMuch { refused.withLock { $0 += 1 } }
            return isTooMuch
        }
    }

    private func gateway(_ load: Load) -> InProcessGateway {
        let transport = PlannedTransport(.answer("Hi"))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: nil, transport: transport)
        return InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "plain", upstream: "up")],
            keys: InProcessGateway.keys, metrics: CountedRequests(), load: load)
    }

    @Test func refusedModelRequestGetsARetryTime() async {
        let load = Load(true)
        let answer = await gateway(load).chat(model: "plain")
        #expect(answer.status == 503 && answer.headerFields[.retryAfter] == "2")
        #expect(answer.text.contains("gateway_overloaded") && load.refusals == 1)
    }

    @Test(arguments: ["/healthz", "/readyz", "/livez", "/status", "/metrics", "/v1/models"])
    func monitoringRequestsAreAdmitted(_ path: String) async {
        let load = Load(true)
        #expect(await gateway(load).ask(.get, path).status == 200)
        #expect(load.refusals == 0)
    }

    @Test func loopThatKeepsUpRefusesNoRequest() async {
        #expect(await gateway(Load(false)).chat(model: "plain").status == 200)
    }

    @Test func refusalsAreCounted() async {
        let gateway = gateway(Load(true))
        _ = await gateway.chat(model: "plain")
        _ = await gateway.chat(model: "plain")
        #expect(await gateway.ask(.get, "/metrics").text.contains("headgate_overload_refusals_total 2"))
    }
}
