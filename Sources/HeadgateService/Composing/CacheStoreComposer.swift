import CHeadgate
package import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateStores

/// Opens the folder of cached responses, or connects to their server. Either is kept over reloads that do not change
/// it.
final class CacheStoreComposer: StoreComposer {
    struct Plan {
        fileprivate enum Place {
            /// - Parameter memory: bytes of memory for the index of the files.
            case folder(path: String, limit: Int, memory: Int, CacheFolder)
            case server(RedisLocation, RedisCacheStore)
        }

        fileprivate let place: Place

        var store: any CachedResponseStore {
            switch place {
            case .folder(_, _, _, let folder): folder
            case .server(_, let store): store
            }
        }
    }

    private var current: Plan?
    private let group: EventLoopGroup
    private let log: LogWriter
    private let isGuest: Bool
    private let locks: PlaceLocks
    private let resolver = NameResolver()

    /// - Parameters:
    ///   - isGuest: whether the gateway works without a folder if another gateway has it.
    ///   - locks: locks of this process.
    init(group: EventLoopGroup, log: LogWriter, isGuest: Bool, locks: PlaceLocks) {
        self.locks = locks
        self.group = group
        self.log = log
        self.isGuest = isGuest
    }

    /// Returns nil also if no model caches responses.
    func plan(_ configuration: Configuration) throws -> Plan? {
        if let cache = configuration.usedCacheFolder {
            // The rest of the memory is for the responses themselves.
            return try folder(cache, memory: configuration.cacheMemory / 4).map { Plan(place: $0) }
        }
        return try configuration.usedCacheServer.map { Plan(place: try server($0)) }
    }

    private func folder(_ cache: CacheFolderConfiguration, memory: Int) throws -> Plan.Place? {
        let path = FilePath.absolute(cache.path)
        if case .folder(let known, _, _, let folder)? = current?.place, known.isExactly(path) {
            return .folder(path: path, limit: cache.limit, memory: memory, folder)
        }
        let place = PrivateFolder(path, of: "cache")
        try place.checkPrivate()
        try place.make()
        let lock: PlaceLock
        do {
            lock = try locks.take(path, for: "the folder \(path)", of: "cache")
        } catch let complaint as Complaint where isGuest {
            log.say("headgate: this gateway caches in memory alone: \(complaint.message)")
            return nil
        }
        let log = log
        let folder = try CacheFolder(
            path, limit: cache.limit, memory: memory, holding: lock, now: headgate_realtime_nanoseconds
        ) { log.say("headgate: cache: \($0)") }
        return .folder(path: path, limit: cache.limit, memory: memory, folder)
    }

    private func server(_ location: RedisLocation) throws -> Plan.Place {
        if case .server(location, _)? = current?.place, let current { return current.place }
        let log = log
        let store = RedisCacheStore(
            try RedisAccess(connecting: location, for: "cache"), resolver: resolver, group: group,
            now: headgate_realtime_nanoseconds, report: { log.say("headgate: cache: \(LogText.line($0))") })
        return .server(location, store)
    }

    func provide(_ plan: Plan, for _: Configuration, to parts: inout GatewayParts) { parts.cacheStore = plan.store }

    /// Stops using the previous server, in which nothing is found from now on, and connects to the new one.
    func adopt(_ plan: Plan?) {
        let former = current?.store
        current = plan
        if case .folder(_, let limit, let memory, let folder)? = plan?.place {
            folder.resize(to: limit, memory: memory)
        }
        guard former !== plan?.store else { return }
        (former as? RedisCacheStore)?.stop()
        (plan?.store as? RedisCacheStore)?.start()
    }

    /// Leaves the folder to another process. Nothing is found in it from now on.
    func handOver() {
        guard case .folder(_, _, _, let folder)? = current?.place else { return }
        folder.close()
        current = nil
    }

    func close() {
        switch current?.place {
        case .folder(_, _, _, let folder)?: folder.close()
        case .server(_, let store)?: store.stop()
        case nil: break
        }
    }
}

extension Configuration {
    private var keepsAnswers: Bool { models.contains { $0.cache != nil } }

    /// Folder of the cache; nil also if no model caches responses.
    fileprivate var usedCacheFolder: CacheFolderConfiguration? { keepsAnswers ? cacheFolder : nil }

    /// Server of the cache; nil also if no model caches responses.
    package var usedCacheServer: RedisLocation? { keepsAnswers ? cacheServer : nil }

    /// Checks that the cache folder can be used, without creating or changing anything.
    ///
    /// - Throws: ``Complaint`` if it cannot be used.
    func checkCacheFolder() throws {
        guard let usedCacheFolder else { return }
        try PrivateFolder(FilePath.absolute(usedCacheFolder.path), of: "cache").checkPrivate()
    }
}
