/// Sends relayed requests to one upstream. Heads stay as they came and as they go, and nobody waits in a task: a request
/// in flight is an object on its loop.
package protocol RelayTransport: Sendable {
    /// - Parameter completion: called once, on the same loop, perhaps before this returns.
    /// - Returns: what gives the request up; then the completion is told of a `cancelled` error. Nil when it is over
    ///   already.
    func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)?
}

package typealias UpstreamCompletion = (Result<UpstreamResponse, TransportError>) -> Void

extension RelayTransport {
    /// For who waits in a task, on the loop.
    package func send(_ request: UpstreamRequest, to baseURL: BaseURL) async throws -> UpstreamResponse {
        try await waitInTask { completion in
            send(request, to: baseURL) { completion($0.mapError { $0 }) }
        }
    }
}
