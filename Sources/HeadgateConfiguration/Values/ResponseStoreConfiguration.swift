/// Settings for responses that the gateway stores itself.
package struct ResponseStoreConfiguration: Sendable, Equatable {
    /// From when a response is made, or last continued.
    package var lifetime: Duration
    /// An absolute path; nil for the one in the data folder.
    package var file: String?
    /// Bytes of all responses together.
    package var maximumSize: Int

    package static let standardSize = 256 << 20

    package init(lifetime: Duration, file: String? = nil, maximumSize: Int = standardSize) {
        self.lifetime = lifetime
        self.file = file
        self.maximumSize = maximumSize
    }
}

/// Response to a request for a compaction that the upstream of the model cannot make.
package enum CompactionPolicy: String, Sendable, CaseIterable {
    case refuse
    /// The model writes a summary.
    case summarize
}

/// Access of a client key to responses stored by upstreams, if there is more than one key.
package enum StoredResponses: String, Sendable, CaseIterable {
    /// Only those that it has created.
    case own
    /// Every one whose id it knows.
    case any
}
