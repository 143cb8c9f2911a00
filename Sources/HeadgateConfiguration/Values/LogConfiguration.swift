/// How requests are logged.
package struct LogConfiguration: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        /// Text where people watch, JSON elsewhere.
        case auto
        case text
        case json
    }

    /// The least that a line must have to say.
    package enum Level: String, Sendable, CaseIterable {
        case debug, info, warn, error
    }

    package var format = Format.auto
    package var level = Level.info
    /// Absolute; nil for standard error.
    package var file: String?
    package var rotation: LogRotation?
    /// Whether what an upstream says of a failure is logged: it may quote a prompt.
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
