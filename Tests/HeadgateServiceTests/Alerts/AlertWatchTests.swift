import HeadgateConfiguration
import HeadgateEventLoop
import HeadgatePrimitives
import HeadgateTesting
import HeadgateUpstream
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateService

@Suite struct AlertWatchTests {
    @Test func alertIsDeliveredWhileTheRequestLoopsAreBusy() async throws {
        let folder = try TemporaryFolder()
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let release = Latch()
        defer { release.open() }
        group.loops[0].execute { release.wait() }
        let composer = UpstreamComposer(
            network: UpstreamNetwork(group: group), environment: ["PATH": "/usr/bin:/bin"], observer: .none)
        let state = GatewayState()
        let lines = Locked<[String]>([])
        let watch = AlertWatch(
            on: { () throws(ThreadShortage) in try composer.sideGroup() }, state: state,
            environment: ["PATH": "/usr/bin:/bin"], say: { line in lines.withLock { $0.append(line) } })
        var configuration = Configuration(upstreams: [], models: [])
        var alerts = AlertsConfiguration()
        alerts.command = ["sh", "-c", "cat > \"$0.new\"; mv \"$0.new\" \"$0\"", folder.path + "/told"]
        configuration.alerts = alerts
        let snapshot = GatewaySnapshot(configuration, upstreams: [], parts: GatewayParts())
        watch.adopt(configuration, snapshot, managed: nil)
        state.targets.health(of: TargetName(upstream: "up", model: "m")).noteFailure(
            at: 1, threshold: 1, cooldown: 1)
        try await until { (try? folder.read("told")) != nil }
        let alert = try folder.read("told")
        #expect(alert.contains("\"alert\":\"breaker\",") && alert.hasSuffix("\n"))
        #expect(lines.withLock { $0.count } == 1)
        watch.stop()
        composer.stop()
    }
}
