internal import HeadgateGateway
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Index of the files in a folder, which decides which files to evict. Pure.
///
/// The initial files are discovered step by step. None of them is evicted for lack of disk space until all are known.
struct CacheFolderIndex {
    struct File: Equatable {
        let key: CacheKey
        /// Bytes that the file occupies.
        let size: Int
        /// Time of the last use, in seconds since 1970.
        let usedAt: Int64
    }

    private struct Use {
        let size: Int
        let usedAt: Int64
    }

    private var files = RecencyList<CacheKey, Use>()
    /// Initial files known so far; nil once all are known.
    private var found: [File]? = []
    private var foundSize = 0
    private var knownSize = 0
    /// Maximum bytes of all files.
    var limit: Int
    /// Maximum bytes of memory for the index itself.
    var memory: Int

    /// Seconds after which no response is served: the longest `ttl`.
    static let longest: Int64 = 24 * 3600
    /// Size of a disk block in bytes, to which the sizes of files are rounded up.
    private static let block = 4096

    /// Bytes of memory for the entry of one file.
    static let weight = 160

    /// - Parameter memory: maximum bytes of memory for the index.
    init(limit: Int, memory: Int = .max) {
        self.limit = limit
        self.memory = memory
    }

    var size: Int { knownSize + foundSize }
    var count: Int { files.count + (found?.count ?? 0) }
    private var mostFiles: Int { max(1, memory / CacheFolderIndex.weight) }

    private static func space(_ size: Int) -> Int { (size + block - 1) / block * block }

    /// Adds a file that existed at the start.
    mutating func find(_ file: File) {
        found?.append(File(key: file.key, size: CacheFolderIndex.space(file.size), usedAt: file.usedAt))
        foundSize += CacheFolderIndex.space(file.size)
    }

    /// Ends the discovery of the initial files.
    mutating func finishFinding() {
        guard let old = found else { return }
        var all = RecencyList<CacheKey, Use>()
        knownSize = 0
        for file in old.sorted(by: { $0.usedAt < $1.usedAt }) {
            let use = Use(size: file.size, usedAt: file.usedAt)
            knownSize += use.size - (all.insert(use, for: file.key)?.size ?? 0)
        }
        // Files used since the start are evicted last.
        while let key = files.oldestKey, let use = files.removeOldest() {
            knownSize += use.size - (all.insert(use, for: key)?.size ?? 0)
        }
        files = all
        found = nil
        foundSize = 0
    }

    /// Records that a file was written or read.
    mutating func use(_ file: File) {
        let use = Use(size: CacheFolderIndex.space(file.size), usedAt: file.usedAt)
        knownSize += use.size - (files.insert(use, for: file.key)?.size ?? 0)
    }

    mutating func remove(_ key: CacheKey) {
        if let use = files.remove(key) { knownSize -= use.size }
    }

    /// Removes and returns the files to evict: those beyond the limits, and those that are too old to be served.
    ///
    /// - Parameter now: seconds since 1970.
    mutating func takeSuperfluous(at now: Int64) -> [CacheKey] {
        guard found == nil else { return takeOldestFound() }
        var keys: [CacheKey] = []
        while let key = files.oldestKey, let use = files.value(of: key),
            knownSize > limit || files.count > mostFiles || use.usedAt < now - CacheFolderIndex.longest
        {
            remove(key)
            keys.append(key)
        }
        return keys
    }

    /// Removes and returns initial files that exceed the index's memory before all of them are known.
    private mutating func takeOldestFound() -> [CacheKey] {
        guard let all = found, count - mostFiles > mostFiles / 2 else { return [] }
        let newest = all.sorted { $0.usedAt > $1.usedAt }
        let kept = newest.prefix(max(0, mostFiles - files.count))
        found = Array(kept)
        foundSize = kept.reduce(0) { $0 + $1.size }
        return newest.dropFirst(kept.count).map(\.key).filter { files.value(of: $0) == nil }
    }
}
