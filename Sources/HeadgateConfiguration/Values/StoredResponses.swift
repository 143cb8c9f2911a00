/// Which of the responses that upstreams keep a client key may reach, where there is more than one key.
package enum StoredResponses: String, Sendable, CaseIterable {
    /// Those that it has made.
    case own
    /// Every one whose id it knows.
    case any
}
