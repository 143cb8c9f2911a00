import CHeadgate
import HeadgateConfiguration
import HeadgateGateway
import HeadgateStores

/// Opens the folder of cached answers, and goes on with it over reloads that do not name another.
///
/// Belongs to the main thread.
final class CacheFolderComposer {
    struct Plan {
        fileprivate let path: String
        fileprivate let limit: Int
        let folder: CacheFolder
    }

    private var current: Plan?
    private let log: LogWriter

    init(log: LogWriter) { self.log = log }

    /// The folder of a configuration; nil where it has none, or no model that keeps answers.
    ///
    /// - Throws: ``Complaint``, or `ThreadShortage`.
    func plan(_ configuration: Configuration) throws -> Plan? {
        guard let cache = configuration.usedCacheFolder else { return nil }
        let path = FilePath.absolute(cache.path)
        if let current, current.path.isExactly(path) {
            return Plan(path: path, limit: cache.limit, folder: current.folder)
        }
        let place = PrivateFolder(path, of: "cache")
        try place.checkPrivate()
        try place.make()
        let log = log
        let folder = try CacheFolder(path, limit: cache.limit, now: headgate_realtime_nanoseconds) {
            log.say("headgate: cache: \($0)")
        }
        return Plan(path: path, limit: cache.limit, folder: folder)
    }

    /// From now on it is the folder. The one before ends with the last request that uses it.
    func adopt(_ plan: Plan?) {
        if let plan { plan.folder.resize(to: plan.limit) }
        current = plan
    }

    /// Writes what is waiting.
    func close() { current?.folder.close() }
}

extension Configuration {
    /// Nil too where no model keeps answers.
    fileprivate var usedCacheFolder: CacheFolderConfiguration? {
        models.contains { $0.cache != nil } ? cacheFolder : nil
    }

    /// - Throws: ``Complaint`` where the folder of cached answers cannot be used; nothing is made or changed.
    func checkCacheFolder() throws {
        guard let usedCacheFolder else { return }
        try PrivateFolder(FilePath.absolute(usedCacheFolder.path), of: "cache").checkPrivate()
    }
}
