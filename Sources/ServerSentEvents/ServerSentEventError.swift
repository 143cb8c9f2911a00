/// Why a parser gave up on its stream. It stays failed: the bytes after the fault have no known place in an event.
package enum ServerSentEventError: Error, Equatable, Sendable {
    /// A line is longer than `limit` bytes.
    case lineTooLong(limit: Int)
    /// The data of one event is longer than `limit` bytes.
    case eventTooLarge(limit: Int)
    /// The stream was given up before: the caller's closure threw, or `finish` has been called.
    case stopped
}
