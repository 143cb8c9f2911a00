/// Storage of streams that continue without their client.
package struct StreamsConfiguration: Sendable, Hashable {
    /// Time for which a stream is stored after its client disconnected, from 1 s to 24 h.
    package var ttl: Duration
    /// Maximum bytes of one stream.
    package var buffer: Int
    /// Maximum bytes of all streams.
    package var memory: Int

    package init(ttl: Duration = .seconds(600), buffer: Int = 4 << 20, memory: Int = 64 << 20) {
        self.ttl = ttl
        self.buffer = buffer
        self.memory = memory
    }
}

/// Handling of an upstream's response if the client disconnects before its end.
package enum OnDisconnect: String, Sendable, CaseIterable {
    /// The upstream's request is canceled at once.
    case cancel
    /// The response is read to its end, for its usage.
    case drain
    /// A stream continues into a buffer, from which the client reads the rest when it reconnects.
    case detach
}
