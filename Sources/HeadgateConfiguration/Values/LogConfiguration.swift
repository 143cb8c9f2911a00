/// How requests are logged.
package struct LogConfiguration: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        /// Text on a terminal, JSON elsewhere.
        case auto
        case text
        case json
    }

    /// Minimum level of the lines that are written.
    package enum Level: String, Sendable, CaseIterable {
        case debug, info, warn, error
    }

    package var format = Format.auto
    package var level = Level.info
    /// Absolute path of the log file; nil for standard error.
    package var file: String?
    package var rotation: LogRotation?
    /// Whether upstreams' error messages are logged. They can quote a prompt.
    package var hasUpstreamErrors = false

    package init() {}
}

/// Rotation of the log file.
package struct LogRotation: Sendable, Equatable {
    /// Size in bytes, which a file exceeds by at most one batch of lines.
    package var size = standardSize
    /// Number of older files to keep.
    package var kept = standardKept

    package static let standardSize = 100 << 20
    package static let standardKept = 5

    package init() {}
}
