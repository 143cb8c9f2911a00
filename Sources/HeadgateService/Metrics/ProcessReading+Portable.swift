extension ProcessReading {
    /// Returns nil, since there is no portable way to get Linux's figures. Metrics omit them.
    static func now() -> ProcessReading? { nil }
}
