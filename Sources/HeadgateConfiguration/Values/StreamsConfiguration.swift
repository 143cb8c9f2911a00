/// How streams are kept that go on without their client.
package struct StreamsConfiguration: Sendable, Hashable {
    /// From when the client has left, from 1 s to 24 h.
    package var ttl: Duration
    /// Octets of one stream.
    package var buffer: Int
    /// Octets of all streams.
    package var memory: Int

    package init(ttl: Duration = .seconds(600), buffer: Int = 4 << 20, memory: Int = 64 << 20) {
        self.ttl = ttl
        self.buffer = buffer
        self.memory = memory
    }
}

/// What becomes of an upstream's answer when the client leaves before its end.
package enum OnDisconnect: String, Sendable, CaseIterable {
    /// The upstream's work ends at once.
    case cancel
    /// The answer is read to its end, for its usage.
    case drain
    /// A stream goes on into a buffer, from which its client has the rest when it is back.
    case detach
}
