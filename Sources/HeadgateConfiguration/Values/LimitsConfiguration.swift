/// What the gateway accepts at most.
package struct LimitsConfiguration: Sendable, Hashable {
    /// Bytes of a request body after authentication, from 1 to 16 GiB.
    package var body: Int
    /// Bytes of all request bodies together that are arriving or on their way; not below ``body``.
    package var bodyMemory: Int
    /// Bytes of one event of a stream, from 128 KiB to 1 GiB.
    package var event: Int
    /// Open client connections; nil lets the gateway derive it from the limit on open files.
    package var connections: Int?
    /// Open connections of one client address that is not this machine's.
    package var connectionsPerAddress: Int
    /// How long a shutdown waits for streams.
    package var drain: Duration

    package init(
        body: Int = 32 << 20, bodyMemory: Int = 512 << 20, event: Int = 16 << 20, connections: Int? = nil,
        connectionsPerAddress: Int = 256, drain: Duration = .seconds(30)
    ) {
        self.body = body
        self.bodyMemory = max(body, bodyMemory)
        self.event = event
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.drain = drain
    }
}
