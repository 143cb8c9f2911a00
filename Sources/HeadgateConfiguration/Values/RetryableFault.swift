/// A failure of an attempt after which the request may be sent again.
package enum RetryableFault: Sendable, Hashable {
    /// No connection.
    case connect
    /// A deadline that passed before the first content.
    case timeout
    /// A stream that ended, stalled or reported an error before its first content.
    case stream
    /// A response with this status, from 400 to 599.
    case status(Int)
    /// A response with a status from 500 to 599.
    case serverErrors

    package static let standard: Set<RetryableFault> = [
        .connect, .timeout, .status(408), .status(409), .status(425), .status(429), .serverErrors, .stream,
    ]
}
