internal import HeadgateGateway

/// Which files of a folder there are, and which make room for others; pure.
///
/// What the folder held at the start is found little by little: until all of it is known nothing makes room for it.
struct CacheFolderIndex {
    struct File: Equatable {
        let key: CacheKey
        /// Octets that it takes.
        let size: Int
        /// When it was used last: seconds since 1970.
        let usedAt: Int64
    }

    private struct Use {
        let size: Int
        let usedAt: Int64
    }

    private var files = RecencyList<CacheKey, Use>()
    /// Of the start, as far as they are known; nil once all are.
    private var found: [File]? = []
    private var foundSize = 0
    private var knownSize = 0
    /// Octets of all files.
    var limit: Int

    /// Seconds after which no response may be given any more: the longest `ttl`.
    static let longest: Int64 = 24 * 3600
    /// What a file takes at least.
    private static let block = 4096

    init(limit: Int) { self.limit = limit }

    var size: Int { knownSize + foundSize }
    var count: Int { files.count + (found?.count ?? 0) }

    private static func space(_ size: Int) -> Int { (size + block - 1) / block * block }

    /// A file that was there at the start.
    mutating func find(_ file: File) {
        found?.append(File(key: file.key, size: CacheFolderIndex.space(file.size), usedAt: file.usedAt))
        foundSize += CacheFolderIndex.space(file.size)
    }

    /// All files of the start have been found.
    mutating func finishFinding() {
        guard let old = found else { return }
        var all = RecencyList<CacheKey, Use>()
        knownSize = 0
        for file in old.sorted(by: { $0.usedAt < $1.usedAt }) {
            let use = Use(size: file.size, usedAt: file.usedAt)
            knownSize += use.size - (all.insert(use, for: file.key)?.size ?? 0)
        }
        // What has been used since counts, and comes last.
        while let key = files.oldestKey, let use = files.removeOldest() {
            knownSize += use.size - (all.insert(use, for: key)?.size ?? 0)
        }
        files = all
        found = nil
        foundSize = 0
    }

    /// A file has been written, or read.
    mutating func use(_ file: File) {
        let use = Use(size: CacheFolderIndex.space(file.size), usedAt: file.usedAt)
        knownSize += use.size - (files.insert(use, for: file.key)?.size ?? 0)
    }

    mutating func remove(_ key: CacheKey) {
        if let use = files.remove(key) { knownSize -= use.size }
    }

    /// Takes out what must go: there is no room, or it is too old for anybody.
    ///
    /// - Parameter now: seconds since 1970.
    mutating func takeSuperfluous(at now: Int64) -> [CacheKey] {
        guard found == nil else { return [] }
        var keys: [CacheKey] = []
        while let key = files.oldestKey, let use = files.value(of: key),
            knownSize > limit || use.usedAt < now - CacheFolderIndex.longest
        {
            remove(key)
            keys.append(key)
        }
        return keys
    }
}
