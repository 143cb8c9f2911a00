import Glibc
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct ResponseStoreComposerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func anotherSizeLeavesTheStoreOpenAndAnotherFileDoesNot() throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(sink) }
        let log = try LogWriter(group: group, to: LogDescriptor(descriptor: sink))
        defer { log.close() }
        let composer = ResponseStoreComposer(environment: [:], log: log)
        defer { composer.close() }
        func plan(_ name: String, _ size: Int) throws -> ResponseStoreComposer.Plan? {
            try composer.plan(
                ResponseStoreConfiguration(
                    lifetime: .seconds(60), file: folder.path + "/" + name, maximumSize: size))
        }
        let first = try #require(try plan("a.db", 1 << 20))
        composer.adopt(first)
        let second = try #require(try plan("a.db", 1 << 21))
        #expect(second.store === first.store)
        composer.adopt(second)
        #expect(try plan("b.db", 1 << 21)?.store !== first.store)
    }
}
