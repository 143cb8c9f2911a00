/// What an upstream answers: the final head, and the body as it comes.
package struct UpstreamResponse {
    package let head: ResponseHead
    package let body: HTTPBody?

    package init(_ head: ResponseHead, _ body: HTTPBody?) {
        self.head = head
        self.body = body
    }
}

/// Sends relayed requests to one upstream. Heads stay as they came and as they go, and nobody waits in a task: a request in flight
/// is an object on its loop.
package protocol RelayTransport: Sendable {
    /// - Parameters:
    ///   - body: nil for a request that has none, which is not the same as an empty one.
    ///   - completion: called once, on the same loop, perhaps before this returns.
    /// - Returns: what gives the request up; then the completion is told of a `cancelled` error. Nil when it is over already.
    func send(
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String,
        completion: @escaping (Result<UpstreamResponse, TransportError>) -> Void
    ) -> (any Cancellable)?
}

extension RelayTransport {
    /// For who waits in a task, on the loop.
    package func send(
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String
    ) async throws -> UpstreamResponse {
        try await waitInTask { completion in
            send(head, body: body, baseURL: baseURL, operationID: operationID) { completion($0.mapError { $0 }) }
        }
    }
}
