/// Caching of a model's responses.
package struct CacheConfiguration: Sendable, Hashable {
    package enum Replay: String, Sendable, CaseIterable {
        case atOnce = "at_once"
        /// As fast as they came.
        case paced
    }

    /// From 1 s to 24 h.
    package var ttl: Duration
    /// Whether what one client key was answered is also for others.
    package var isShared: Bool
    /// Whether requests with a temperature above 0 are answered from the cache too.
    package var takesAnyTemperature: Bool
    /// Pace of replayed streams.
    package var replay: Replay

    package init(
        ttl: Duration = .seconds(3600), isShared: Bool = false, takesAnyTemperature: Bool = false,
        replay: Replay = .atOnce
    ) {
        self.ttl = ttl
        self.isShared = isShared
        self.takesAnyTemperature = takesAnyTemperature
        self.replay = replay
    }

    /// Default maximum bytes of all cached responses.
    package static let standardMemory = 64 << 20
}

/// Folder in which responses are cached in addition to memory.
package struct CacheFolderConfiguration: Sendable, Hashable {
    /// From the root, or from where the gateway runs.
    package var path: String
    /// Bytes of all files.
    package var limit: Int

    package init(path: String, limit: Int = CacheFolderConfiguration.standardLimit) {
        self.path = path
        self.limit = limit
    }

    package static let standardLimit = 1 << 30
}
