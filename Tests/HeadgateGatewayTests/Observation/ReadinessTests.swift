import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// `GET /readyz?verbose`: access and content.
@Suite struct ReadinessTests {
    private func gateway() -> RoutedGateway {
        RoutedGateway([[.json("{}", status: 500)], [.stream("y")]]) { model, upstreams in
            model.targets[0].breaker = BreakerConfiguration(failures: 1)
            upstreams[1].healthCheck = HealthCheckConfiguration()
        }
    }

    @Test(arguments: ["verbose", "verbose=", "verbose=1", "verbose=true", "a=b&verbose"], ["/readyz", "/healthz"])
    func detailsNeedAKeyOfAnAdministrator(_ query: String, _ path: String) async {
        let running = InProcessGateway()
        let none = await running.ask(.get, "\(path)?\(query)", key: nil)
        #expect(none.status == 401 && none.isError(code: "invalid_api_key"))
        let limited = await running.ask(.get, "\(path)?\(query)", key: InProcessGateway.limitedKey)
        #expect(limited.status == 403 && limited.isError(code: "admin_key_needed"))
        let admin = await running.ask(.get, "\(path)?\(query)")
        #expect(admin.status == 200 && admin.text.contains("\"upstreams\""))
    }

    @Test(arguments: ["", "?", "?verbose=0", "?verbose=false", "?verbosely", "?a=verbose", "?exclude=x"])
    func otherQueriesGetOneWord(_ query: String) async {
        let answer = await InProcessGateway().ask(.get, "/readyz\(query)", key: nil)
        #expect(answer.status == 200 && answer.text == #"{"status":"ok"}"#)
    }

    @Test func keylessGatewayReportsToEveryone() async {
        let running = InProcessGateway(isKeyless: true)
        let answer = await running.ask(.get, "/readyz?verbose", key: nil)
        #expect(
            answer.text
                == #"{"status":"ok","upstreams":[{"name":"up","reachable":null,"healthy":null,"offline":false,"open_breakers":0}],"models":[]}"#
        )
    }

    @Test func lostUpstreamIsReportedAndTheGatewayStaysReady() async {
        let gateway = gateway()
        #expect(await gateway.chat().status == 200)
        let answer = await gateway.running.ask(.get, "/readyz?verbose")
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""name":"a","reachable":true,"healthy":null,"offline":false,"open_breakers":1"#))
        #expect(answer.text.contains(#""name":"b","reachable":true,"healthy":true,"offline":false,"open_breakers":0"#))
        #expect(answer.text.contains(#""models":[{"name":"m","usable":true}]"#))
    }

    @Test func modelWithoutATargetIsReportedAndTheGatewayStaysReady() async {
        let state = GatewayState()
        let gateway = RoutedGateway([[.stream("x")], [.stream("y")]], state: state)
        for name in ["a", "b"] { state.targets.reach(of: name).noteCheck(isHealthy: false) }
        let answer = await gateway.running.ask(.get, "/readyz?verbose=1")
        #expect(answer.status == 200 && answer.text.contains(#"{"name":"m","usable":false}"#))
    }

    @Test func failingStoresAreReportedAndTheGatewayStaysReady() {
        let gateway = ManualRouting(targets: 1, cacheStore: ReportingStore(isWorking: false))
        let answer = gateway.ask(.get, "/readyz?verbose", [:])
        #expect(answer.status == 200)
        #expect(answer.client.text.contains(#""cache":{"working":false,"damaged":2,"lost":3}"#))
        #expect(!answer.client.text.contains("counters") && !answer.client.text.contains("ledger"))
    }

    @Test(arguments: [true, false]) func healthOfTheCacheStoreIsAMetric(_ isWorking: Bool) {
        let store = ReportingStore(isWorking: isWorking)
        let gateway = ManualRouting(targets: 1, cacheStore: store, metrics: CountedRequests())
        let text = gateway.ask(.get, "/metrics", [:]).client.text
        for (name, value) in [("up", isWorking ? 1 : 0), ("damaged_total", 2), ("lost_total", 3)] {
            #expect(text.contains("\nheadgate_cache_store_\(name) \(value)\n"))
        }
    }

    @Test func drainingGatewayIsNotReadyWithTheSameDetails() async {
        let gateway = gateway()
        gateway.running.gateway.readiness.beginDraining()
        let answer = await gateway.running.ask(.get, "/readyz?verbose")
        #expect(answer.status == 503 && answer.text.hasPrefix(#"{"status":"draining","upstreams":["#))
        #expect(await gateway.running.ask(.get, "/readyz", key: nil).text == #"{"status":"draining"}"#)
    }
}

private final class ReportingStore: CachedResponseStore {
    private let isWorking: Bool

    init(isWorking: Bool) { self.isWorking = isWorking }

    var health: CachedResponseStoreHealth? { CachedResponseStoreHealth(isWorking: isWorking, damaged: 2, lost: 3) }

    func find(
        _ keys: [CacheKey], at now: Int64, maximumAge: Int64?, completion: @escaping @Sendable (FoundResponse?) -> Void
    ) { completion(nil) }

    func keep(_ response: CachedResponse, as key: CacheKey) {}
}
