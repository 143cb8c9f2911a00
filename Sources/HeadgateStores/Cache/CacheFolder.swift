package import HeadgateGateway
internal import HeadgateRelay

/// Keeps cached responses as files, one each, in a folder of its own: for its owner alone, named by their keys, each
/// with a checksum. What is damaged is as if it were not there, and is removed.
///
/// A folder belongs to one gateway at a time: another one would not count its files.
package final class CacheFolder: CachedResponseStore {
    private let thread: CacheFolderThread

    /// - Parameters:
    ///   - path: of a folder that is there.
    ///   - limit: octets of all files.
    ///   - memory: bytes for the index of them; where they take more, those not used for longest are removed.
    ///   - lock: held until all is written.
    ///   - now: nanoseconds since 1970.
    ///   - report: told, once until it works again, why something cannot be read or written.
    /// - Throws: `ThreadShortage`.
    package convenience init(
        _ path: String, limit: Int, memory: Int = .max, holding lock: (any Sendable)? = nil,
        now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(
            path, limits: CacheFolderThread.Limits(), limit: limit, memory: memory, holding: lock, now: now,
            report: report)
    }

    init(
        _ path: String, limits: CacheFolderThread.Limits, limit: Int, memory: Int = .max,
        holding lock: (any Sendable)? = nil, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        thread = try CacheFolderThread(
            path, limits, room: .init(disk: limit, memory: memory), holding: lock, now: now, report: report)
    }

    deinit { thread.end() }

    package func find(
        _ keys: [CacheKey], at now: Int64, maximumAge: Int64?,
        completion: @escaping @Sendable (FoundResponse?) -> Void
    ) {
        thread.find(CacheFolderThread.Question(keys: keys, now: now, maximumAge: maximumAge, completion: completion))
    }

    package func keep(_ response: CachedResponse, as key: CacheKey) { thread.keep(response, as: key) }

    /// From the next file on.
    ///
    /// - Parameters:
    ///   - limit: octets of all files.
    ///   - memory: bytes for the index of them.
    package func resize(to limit: Int, memory: Int = .max) { thread.resize(to: .init(disk: limit, memory: memory)) }

    package var indexSize: Int { thread.indexSize }

    /// Writes what is waiting. Not from a loop.
    package func close() { thread.close() }
}
