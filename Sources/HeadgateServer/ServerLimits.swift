/// Limits of a server's connections.
package struct ServerLimits: Sendable {
    package var connections = 10_000
    /// Maximum connections of one remote address, except this machine's.
    package var connectionsPerAddress = 256
    package var headTimeout: Duration = .seconds(10)
    package var bodyTimeout: Duration = .seconds(30)
    /// Interval of checks of a body that is still arriving.
    package var bodyCheckInterval: Duration = .seconds(5)
    /// Interval of checks whether a client with a paused body is still connected.
    package var departureCheckInterval: Duration = .seconds(1)
    package var keepAliveTimeout: Duration = .seconds(60)
    /// Maximum time in which a client receives none of the bytes that wait for it.
    package var writeTimeout: Duration = .seconds(30)
    /// Silence after which a stream is sent a heartbeat.
    package var heartbeatInterval: Duration = .seconds(15)
    /// Waiting bytes above which the upstream is paused; below ``outputLowWaterMark`` it is resumed. One more read of
    /// the upstream's socket, of at most 64 KiB, can follow. At most 256 KiB and an event therefore wait for a client.
    package var outputHighWaterMark = 192 * 1024
    package var outputLowWaterMark = 64 * 1024
    /// Bytes that a client may send ahead before it has the response to its request.
    package var pipelinedBytes = 64 * 1024
    /// Time for which a shutdown waits for responses in flight.
    package var drainTimeout: Duration = .seconds(30)

    package init() {}
}
