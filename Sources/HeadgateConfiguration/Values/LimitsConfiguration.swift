/// Limits of the gateway.
package struct LimitsConfiguration: Sendable, Hashable {
    /// Maximum bytes of a request body after authentication, from 1 to 16 GiB.
    package var body: Int
    /// Maximum bytes of all request bodies that are being received or forwarded; not below ``body``.
    package var bodyMemory: Int
    /// Maximum bytes of one event of a stream, from 128 KiB to 1 GiB.
    package var event: Int
    /// Maximum open client connections; nil to derive it from the limit on open files.
    package var connections: Int?
    /// Maximum open connections from one client address. Addresses of this machine are exempt.
    package var connectionsPerAddress: Int
    /// Maximum time that a shutdown waits for streams.
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

extension LimitsConfiguration {
    /// Returns a description of the most memory that the gateway holds for clients. The parts are not added up, because
    /// the number of streams with large events is unknown.
    ///
    /// - Parameter connections: Maximum number of open connections.
    package func memoryCeiling(connections: Int) -> String {
        // A request head, read-ahead bytes, and the queues of both directions.
        let buffers = connections * (16 + 64 + 2 * 256) / 1024
        return "at most \(buffers) MiB for the buffers of all connections, "
            + "\(bodyMemoryText) for request bodies together, and "
            + "\(eventText) for the event of each stream in flight"
    }

    /// ``bodyMemory`` as text.
    package var bodyMemoryText: String { LimitsConfiguration.size(bodyMemory) }

    /// ``event`` as text.
    package var eventText: String { LimitsConfiguration.size(event) }

    private static func size(_ bytes: Int) -> String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}
