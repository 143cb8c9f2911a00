import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite final class ResponseStoreComposerTests {
    private let folder: TemporaryFolder
    private let group = EventLoopGroup(count: 1)
    private let sink: Int32
    private let log: LogWriter

    init() throws {
        folder = try TemporaryFolder()
        sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
        log = try LogWriter(group: group, to: LogDescriptor(descriptor: sink))
    }

    deinit {
        log.close()
        close(sink)
        group.stop()
    }

    private func composer(isGuest: Bool = false) -> ResponseStoreComposer {
        ResponseStoreComposer(environment: [:], log: log, isGuest: isGuest, locks: PlaceLocks())
    }

    private func configuration(_ name: String, _ size: Int = 1 << 20) -> Configuration {
        let responses = ResponseStoreConfiguration(
            lifetime: .seconds(60), file: folder.path + "/" + name, maximumSize: size)
        return Configuration(upstreams: [], models: [], responses: responses)
    }

    @Test func anotherSizeLeavesTheStoreOpenAndAnotherFileDoesNot() throws {
        let composer = composer()
        defer { composer.close() }
        let first = try #require(try composer.plan(configuration("a.db")))
        composer.adopt(first)
        let second = try #require(try composer.plan(configuration("a.db", 1 << 21)))
        #expect(second.store === first.store)
        composer.adopt(second)
        #expect(try composer.plan(configuration("b.db", 1 << 21))?.store !== first.store)
    }

    @Test func lockThatWasHandedOverIsHeldUntilBothHaveEnded() throws {
        let path = folder.path + "/a.lock"
        var lock: PlaceLock? = try PlaceLock(path)
        let copy = fcntl(try #require(lock).descriptor, F_DUPFD_CLOEXEC, 0)
        let successor = PlaceLocks(handedOver: [path: copy])
        var taken: PlaceLock? = try successor.take(path, for: path, of: "responses")
        #expect(taken?.descriptor == copy && successor.all.count == 1)
        lock = nil
        #expect(throws: PlaceLock.Taken.self) { try PlaceLock(path) }
        taken = nil
        #expect(throws: Never.self) { try PlaceLock(path) }
        #expect(lock == nil && taken == nil)
    }

    /// Locks of two descriptors exclude each other even within a process.
    @Test func anotherGatewaysFileIsRefusedUntilItEnds() throws {
        let (first, second) = (composer(), composer())
        first.adopt(try first.plan(configuration("a.db")))
        let complaint = #expect(throws: Complaint.self) { try second.plan(self.configuration("a.db")) }
        #expect(
            complaint?.message.hasPrefix(
                "responses: \(folder.path)/a.db is in use by another gateway (process \(getpid())): ") == true)
        #expect(try composer(isGuest: true).plan(configuration("a.db")) == nil)
        #expect(fileMode(folder.path + "/a.db.lock") == 0o600)
        first.close()
        second.adopt(try second.plan(configuration("a.db")))
        second.close()
    }

    @Test func fileStillInUseIsReopened() throws {
        let composer = composer()
        defer { composer.close() }
        let first = try #require(try composer.plan(configuration("a.db")))
        composer.adopt(first)
        composer.adopt(try composer.plan(configuration("b.db")))
        let again = try #require(try composer.plan(configuration("a.db")))
        #expect(again.store !== first.store)
        composer.adopt(again)
    }

    @Test func anotherGatewaysCacheFolderIsRefusedUntilItEnds() throws {
        func composer(isGuest: Bool = false) -> CacheStoreComposer {
            CacheStoreComposer(group: group, log: log, isGuest: isGuest, locks: PlaceLocks())
        }
        var model = ModelConfiguration(name: "m", upstream: "a")
        model.cache = CacheConfiguration(ttl: .seconds(60))
        let configuration = Configuration(
            upstreams: [], models: [model], cacheFolder: CacheFolderConfiguration(path: folder.path + "/kept"))
        let (first, second) = (composer(), composer())
        first.adopt(try first.plan(configuration))
        #expect(try first.plan(configuration) != nil)
        let complaint = #expect(throws: Complaint.self) { try second.plan(configuration) }
        #expect(complaint?.message.contains("/kept is in use by another gateway") == true)
        #expect(try composer(isGuest: true).plan(configuration) == nil)
        first.close()
        #expect(try second.plan(configuration) != nil)
    }
}
