/// Storage of streams that continue without their client.
package struct StreamsConfiguration: Sendable, Hashable {
    /// From when the client has left, from 1 s to 24 h.
    package var ttl: Duration
    /// Bytes of one stream.
    package var buffer: Int
    /// Bytes of all streams.
    package var memory: Int

    package init(ttl: Duration = .seconds(600), buffer: Int = 4 << 20, memory: Int = 64 << 20) {
        self.ttl = ttl
        self.buffer = buffer
        self.memory = memory
    }
}

/// Handling of an upstream's response if the client disconnects before its end.
package enum OnDisconnect: String, Sendable, CaseIterable {
    /// The upstream's work ends at once.
    case cancel
    /// The answer is read to its end, for its usage.
    case drain
    /// A stream continues into a buffer, from which the client reads the rest when it reconnects.
    case detach
}
