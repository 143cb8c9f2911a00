/// Sends relayed requests to one upstream. Heads stay as they came and as they go: nothing is made of them that nobody asks for.
package protocol RelayTransport: Sendable {
    /// - Parameter body: nil for a request that has none, which is not the same as an empty one.
    /// - Returns: the final head, and the body as it comes.
    /// - Throws: ``TransportError``. Cancelling the task closes the connection.
    func send(
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String
    ) async throws -> (ResponseHead, HTTPBody?)
}

extension RelayTransport where Self: ClientTransport {
    package func send(
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String
    ) async throws -> (ResponseHead, HTTPBody?) {
        let (response, answer) = try await send(
            head.request, body: body.map { .bytes($0) }, baseURL: baseURL, operationID: operationID)
        return (ResponseHead(response), answer)
    }
}
