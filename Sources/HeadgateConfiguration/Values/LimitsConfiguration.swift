/// Limits of the gateway.
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

extension LimitsConfiguration {
    /// Describes the memory that the gateway holds for clients at most, in words for people. The parts are not added
    /// up, since the number of streams with large events is unknown.
    ///
    /// - Parameter connections: the maximum number of open connections.
    package func memoryCeiling(connections: Int) -> String {
        // A head, what may be sent ahead, and the queues of both directions.
        let buffers = connections * (16 + 64 + 2 * 256) / 1024
        return "at most \(buffers) MiB for the buffers of all connections, "
            + "\(bodyMemoryText) for request bodies together, and "
            + "\(eventText) for the event of each stream in flight"
    }

    /// ``bodyMemory``, for people.
    package var bodyMemoryText: String { LimitsConfiguration.size(bodyMemory) }

    /// ``event``, for people.
    package var eventText: String { LimitsConfiguration.size(event) }

    private static func size(_ bytes: Int) -> String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}
