import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateServer
import HeadgateTesting
import Testing

/// Every case of `Tests/Vectors/http1.json` over real sockets, against the whole gateway in front of an upstream that
/// only responds.
@Suite struct HTTPVectorTests {
    @Test(.timeLimit(.minutes(10))) func everyCasePassesInEveryWayOfSending() async throws {
        let key = "vector-key-0123456789"
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let answer =
            #"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"content":"ok"},"finish_reason":"stop"}]}"#
        let transport = PlannedTransport(.json(answer, headerFields: [.contentType: "application/json"]))
        let upstream = UpstreamDefinition(
            UpstreamConfiguration(name: "fixed", kind: .openai),
            baseURL: BaseURL(endpoint: .unix(path: "/nowhere"), pathPrefix: "/v1"), credentials: []
        ) { _ in transport }
        let configuration = Configuration(
            upstreams: [], models: [ModelConfiguration(name: "m", upstream: "fixed")],
            keys: [KeyConfiguration(name: "vectors", digest: KeyDigest(of: key.utf8).bytes)],
            limits: LimitsConfiguration(body: 8 << 20), prices: nil)
        var parts = GatewayParts()
        parts.accessLog = AccessLog(format: .json, sink: NoLog(), realtime: { 0 })
        let snapshot = GatewaySnapshot(configuration, upstreams: [upstream], parts: parts)
        let gateway = Gateway(snapshot: snapshot, realtime: { 1_800_000_000_000_000_000 })
        let server = HTTPServer(group: group, limits: ServerLimits(), responder: gateway, logError: { _ in })
        let bound = try server.listen(on: [ListenerSettings(address: .tcp(ip: "127.0.0.1", port: 0))])
        let port = try #require(bound[0].port)

        let body = #"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#
        let report = await HTTPVectorRun(port: port, key: key, body: body).run()
        #expect(report.failures.isEmpty, "\(report)")
        // There are 513 cases with three ways each, except one case with one way.
        #expect(report.passed == 1537)
    }
}

private struct NoLog: LogSink {
    func write(_: (inout LogLines) -> Void) {}
}
