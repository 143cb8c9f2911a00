/// Storage of responses by the gateway itself.
package struct ResponseStoreConfiguration: Sendable, Equatable {
    /// Time for which a response is stored after it was created or last continued.
    package var lifetime: Duration
    /// Absolute path of the file; nil for the one in the data folder.
    package var file: String?
    /// Maximum bytes of all stored responses.
    package var maximumSize: Int

    package static let standardSize = 256 << 20

    package init(lifetime: Duration, file: String? = nil, maximumSize: Int = standardSize) {
        self.lifetime = lifetime
        self.file = file
        self.maximumSize = maximumSize
    }
}

/// Handling of a compaction that the upstream of the model does not support.
package enum CompactionPolicy: String, Sendable, CaseIterable {
    case refuse
    /// The model writes a summary.
    case summarize
}

/// Access of client keys to responses that upstreams store, if there is more than one key.
package enum StoredResponses: String, Sendable, CaseIterable {
    /// A key can access only the responses that it created.
    case own
    /// A key can access every response whose id it knows.
    case any
}
