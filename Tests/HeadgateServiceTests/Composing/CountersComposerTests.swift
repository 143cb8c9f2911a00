import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateLibC
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct CountersComposerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func location(_ name: String, database: Int = 0) -> RedisLocation {
        RedisLocation(.socket("\(folder.path)/\(name)"), password: Secret("s3cr3t"), database: database)
    }

    private func configuration(_ name: String, database: Int = 0) -> Configuration {
        Configuration(upstreams: [], models: [], counters: .redis(location(name, database: database)))
    }

    @Test func connectionIsReusedForTheSameServer() throws {
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(sink) }
        let log = try LogWriter(group: group, to: LogDescriptor(descriptor: sink))
        defer { log.close() }
        let composer = CountersComposer(group: group, log: log, state: GatewayState())
        #expect(try composer.plan(Configuration(upstreams: [], models: [])) == nil)
        // No server listens at this address, and the gateway starts anyway.
        let first = try #require(try composer.plan(configuration("a")))
        composer.adopt(first)
        #expect(try composer.plan(configuration("a"))?.limits === first.limits)
        #expect(try composer.plan(configuration("a", database: 1))?.limits !== first.limits)
        let second = try #require(try composer.plan(configuration("b")))
        composer.adopt(second)
        #expect(try composer.plan(configuration("b"))?.limits === second.limits)
        composer.adopt(nil)
        composer.close()
    }

    @Test func unresponsiveServerIsReportedWithoutThePassword() throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let probe = try RedisProbe(location("nobody"), for: "counters", purpose: "counts limits")
        let found = probe.ask(on: group.loops[0])
        #expect(!found.works && found.words.contains("\(folder.path)/nobody cannot be used: "))
        #expect(!found.words.contains("s3cr3t"))
    }
}
