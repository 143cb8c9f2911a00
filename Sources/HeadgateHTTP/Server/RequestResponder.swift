/// What a server connection speaks to: it answers every request, and every sequence of bytes that is none.
package protocol RequestResponder: Sendable {
    /// Answers a request, on the connection's loop. What takes time is the metadata's `work` meanwhile.
    ///
    /// - Parameter completion: called once, perhaps before this returns.
    func respond(
        to request: RequestHead, body: HTTPBody?, metadata: ServerRequestMetadata,
        completion: @escaping (ServerResponse) -> Void
    )

    /// Answers bytes that violate HTTP's framing, a deadline or a bound, before any route is known.
    func refuse(_ violation: HTTPSyntaxError, metadata: ServerRequestMetadata) -> ServerResponse

    /// Answers a request that a shutdown does not wait for any longer.
    func shutdownResponse(to request: RequestHead, metadata: ServerRequestMetadata) -> ServerResponse

    /// The bytes that keep a silent stream alive, valid between two of its chunks; nil when the response must not have any.
    func heartbeat(for head: ServerResponseHead) -> [UInt8]?

    /// What a stream that is cut short by a shutdown still says, whole events in the dialect of its route.
    func farewell(for head: ServerResponseHead, metadata: ServerRequestMetadata) -> [UInt8]?
}
