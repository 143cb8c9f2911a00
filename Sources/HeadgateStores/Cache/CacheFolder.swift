package import HeadgateGateway
internal import HeadgateRelay

/// Stores cached responses as files in a private folder, one per response, named by their keys, each with a checksum.
/// Damaged files are removed and treated as missing.
///
/// A folder belongs to one gateway at a time, since another one would not count its files.
package final class CacheFolder: CachedResponseStore {
    private let thread: CacheFolderThread

    /// - Parameters:
    ///   - path: path of an existing folder.
    ///   - limit: maximum bytes of all files.
    ///   - memory: maximum bytes of their index. Beyond it, the least recently used files are removed.
    ///   - lock: a lock that is held until everything is written.
    ///   - now: returns nanoseconds since 1970.
    ///   - report: called with the reason why a file cannot be read or written, once until it works again.
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

    /// Changes the limits, from the next file on.
    ///
    /// - Parameters:
    ///   - limit: maximum bytes of all files.
    ///   - memory: maximum bytes of their index.
    package func resize(to limit: Int, memory: Int = .max) { thread.resize(to: .init(disk: limit, memory: memory)) }

    package var indexSize: Int { thread.indexSize }

    /// Writes pending responses and ends. Must not be called on a loop.
    package func close() { thread.close() }
}
