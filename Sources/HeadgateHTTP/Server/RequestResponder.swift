/// Responds to every request of a server connection, and to bytes that are not a request.
package protocol RequestResponder: AnyObject, Sendable {
    /// Creates the context of a new request, on the loop of its connection.
    ///
    /// - Parameter clock: monotonic nanoseconds.
    func makeContext(clock: @escaping () -> UInt64) -> any RequestContext

    /// Responds to a request, on the connection's loop. Pending work is stored in the metadata's `work`.
    ///
    /// - Parameter completion: called once, perhaps before this returns.
    func respond(
        to request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata,
        completion: @escaping (ServerResponse) -> Void
    )

    /// Responds to bytes that violate HTTP's framing, a deadline or a limit, before any route is known.
    func refuse(_ violation: HTTPSyntaxError, metadata: ServerRequestMetadata) -> ServerResponse

    /// Responds to a request that still has no response at the end of a drain.
    func shutdownResponse(to request: RequestHead, metadata: ServerRequestMetadata) -> ServerResponse

    /// Returns the heartbeat of a silent stream, which is valid between two of its chunks; nil if the response must not
    /// have one.
    func heartbeat(for head: ServerResponseHead) -> [UInt8]?

    /// Returns the last events of a stream that a shutdown cuts short, in the format of its route.
    func finalEvents(for head: ServerResponseHead, metadata: ServerRequestMetadata) -> [UInt8]?
}
