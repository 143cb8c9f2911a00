/// Sends relayed requests to one upstream. Heads stay encoded, and no task waits: a request in flight is an object on
/// its loop.
package protocol RelayTransport: Sendable {
    /// - Parameter completion: called once, on the same loop, perhaps before this returns.
    /// - Returns: what cancels the request; the completion then gets a `cancelled` error. Nil when it is over already.
    func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)?
}

package typealias UpstreamCompletion = (Result<UpstreamResponse, TransportError>) -> Void

extension RelayTransport {
    /// The same for a task on the loop.
    package func send(_ request: UpstreamRequest, to baseURL: BaseURL) async throws -> UpstreamResponse {
        try await waitInTask { completion in
            send(request, to: baseURL) { completion($0.mapError { $0 }) }
        }
    }
}
