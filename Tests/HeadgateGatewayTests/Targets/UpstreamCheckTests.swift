import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct UpstreamCheckTests {
    private let states = TargetStates()
    private let transport = ManualTransport()

    private func check(
        _ kind: UpstreamKind = .openai, _ change: (inout UpstreamConfiguration) -> Void = { _ in }
    ) -> UpstreamCheck? {
        var configuration = UpstreamConfiguration(name: "up", kind: kind)
        configuration.healthCheck = HealthCheckConfiguration(path: "/health")
        change(&configuration)
        let url = BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1")
        let definition = UpstreamDefinition(configuration, baseURL: url, credentials: []) { [transport] _ in transport }
        return UpstreamCheck(definition, state: states)
    }

    @Test func programsAndUpstreamsWithoutACheckAreNotAsked() throws {
        #expect(check() != nil && check { $0.healthCheck = nil } == nil && check(.onDevice) == nil)
        #expect(check { $0.command = CommandConfiguration(arguments: ["serve"]) } == nil)
        _ = try #require(check()).ask { _ in }
        #expect(transport.calls.first?.request.head.request.path == "/v1/health")
    }

    @Test(arguments: [(200, true), (299, true), (300, false), (404, false), (500, false)])
    func anyResponseShowsThatTheUpstreamIsReached(_ status: Int, _ isHealthy: Bool) throws {
        let reach = states.reach(of: "up")
        reach.noteUnreachable(at: 1)
        var result: Bool?
        _ = try #require(check()).ask { result = $0 }
        #expect(result == nil && reach.offlineUntil(at: 1) != nil)
        let call = try #require(transport.calls.last)
        call.respond(status)
        #expect(result == isHealthy && reach.offlineUntil(at: 1) == nil)
    }

    @Test func failureShowsNothing() throws {
        let reach = states.reach(of: "up")
        reach.noteUnreachable(at: 1)
        var result: Bool?
        _ = try #require(check()).ask { result = $0 }
        try #require(transport.calls.last).fail(.connectTimeout)
        #expect(result == false && reach.offlineUntil(at: 1) != nil)
    }
}
