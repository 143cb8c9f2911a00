internal import HeadgateEventLoop

/// ``ServerLimits`` in the units that connections use, computed once and shared by all connections of a server.
final class ConnectionLimits: Sendable {
    let written: ServerLimits
    // Nanoseconds.
    let headTimeout: UInt64
    let bodyTimeout: UInt64
    let bodyCheckInterval: UInt64
    let departureCheckInterval: UInt64
    let keepAliveTimeout: UInt64
    let writeTimeout: UInt64
    let writeCheckInterval: UInt64
    /// Write timeout of a client that holds memory for bodies while memory is short.
    let pressedWriteTimeout: UInt64
    let pressedCheckInterval: UInt64
    let heartbeatInterval: UInt64
    /// Time at a shutdown for a connection that has not sent anything yet.
    let firstRequestGrace: UInt64 = 200_000_000
    /// Time at a handover to another process for the next request of an idle connection.
    let lastRequestGrace: UInt64 = 5_000_000_000
    let drainTimeout: UInt64
    // Bytes.
    let outputHighWaterMark: Int
    let outputLowWaterMark: Int
    let pipelinedBytes: Int

    init(_ limits: ServerLimits) {
        written = limits
        drainTimeout = limits.drainTimeout.clampedNanoseconds
        headTimeout = limits.headTimeout.clampedNanoseconds
        bodyTimeout = limits.bodyTimeout.clampedNanoseconds
        bodyCheckInterval = limits.bodyCheckInterval.clampedNanoseconds
        departureCheckInterval = limits.departureCheckInterval.clampedNanoseconds
        keepAliveTimeout = limits.keepAliveTimeout.clampedNanoseconds
        writeTimeout = limits.writeTimeout.clampedNanoseconds
        writeCheckInterval = writeTimeout / 4
        pressedWriteTimeout = writeTimeout / 6
        pressedCheckInterval = writeTimeout / 24
        heartbeatInterval = limits.heartbeatInterval.clampedNanoseconds
        outputHighWaterMark = limits.outputHighWaterMark
        outputLowWaterMark = limits.outputLowWaterMark
        pipelinedBytes = limits.pipelinedBytes
    }
}
