/// Caching of a model's responses.
package struct CacheConfiguration: Sendable, Hashable {
    package enum Replay: String, Sendable, CaseIterable {
        case atOnce = "at_once"
        /// At the pace of the original response.
        case paced
    }

    /// Lifetime from 1 s to 24 h.
    package var ttl: Duration
    /// Whether a response cached for one client key is also returned to others.
    package var isShared: Bool
    /// Whether requests with a temperature above 0 also use the cache.
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
    /// Absolute path, or a path relative to the working directory.
    package var path: String
    /// Maximum bytes of all files.
    package var limit: Int

    package init(path: String, limit: Int = CacheFolderConfiguration.standardLimit) {
        self.path = path
        self.limit = limit
    }

    package static let standardLimit = 1 << 30
}
