/// Bounds that a server holds its connections to.
package struct ServerLimits: Sendable {
    package var connections = 10_000
    /// Maximum connections of one remote address, except this machine's.
    package var connectionsPerAddress = 256
    package var headTimeout: Duration = .seconds(10)
    package var bodyTimeout: Duration = .seconds(30)
    /// How often a body that is still arriving is looked at.
    package var bodyCheckInterval: Duration = .seconds(5)
    /// Interval of checks whether a client with a paused body is still connected.
    package var departureCheckInterval: Duration = .seconds(1)
    package var keepAliveTimeout: Duration = .seconds(60)
    /// No byte taken by the client for this long, while bytes are waiting for it.
    package var writeTimeout: Duration = .seconds(30)
    /// Silence after which a stream is sent a heartbeat.
    package var heartbeatInterval: Duration = .seconds(15)
    /// Output above this pauses the upstream, below ``outputLowWaterMark`` resumes it. One more read of the upstream's
    /// socket, 64 KiB at most, may follow, so that 256 KiB and an event are all that waits for a client.
    package var outputHighWaterMark = 192 * 1024
    package var outputLowWaterMark = 64 * 1024
    /// Bytes that a client may send ahead before it has the response to its request.
    package var pipelinedBytes = 64 * 1024
    /// How long a shutdown waits for streams.
    package var drainTimeout: Duration = .seconds(30)

    package init() {}
}
