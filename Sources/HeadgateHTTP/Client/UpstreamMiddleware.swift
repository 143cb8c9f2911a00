/// Middleware around every attempt at an upstream. It can change the request, respond early, wait, inspect the
/// response, or change its body (``BodyStage``). It must cancel the body of a response that it does not pass on.
package protocol UpstreamMiddleware: Sendable {
    /// - Parameters:
    ///   - next: the rest of the chain. Nothing is sent unless it is called.
    ///   - completion: called once, on the same loop, perhaps before this returns.
    /// - Returns: a handle that cancels the attempt, whose completion then gets a `cancelled` error; nil if the attempt
    ///   is already over.
    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)?
}

/// Rest of an upstream's chain, which ends at the transport.
package struct UpstreamNext {
    private let chain: UpstreamChain
    private let index: Int
    /// Metadata of the client's request for which the attempt is made; nil for requests of the gateway itself.
    package let metadata: ServerRequestMetadata?

    init(_ chain: UpstreamChain, at index: Int, for metadata: ServerRequestMetadata?) {
        self.chain = chain
        self.index = index
        self.metadata = metadata
    }

    package var baseURL: BaseURL { chain.baseURL }

    package func callAsFunction(
        _ request: UpstreamRequest, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        guard index < chain.middlewares.count else {
            return chain.transport.send(request, to: chain.baseURL, completion: completion)
        }
        return chain.middlewares[index].intercept(
            request, next: UpstreamNext(chain, at: index + 1, for: metadata), completion: completion)
    }
}

/// Middleware around one upstream's transport, outermost first.
package final class UpstreamChain: Sendable {
    let middlewares: [any UpstreamMiddleware]
    let transport: any RelayTransport
    package let baseURL: BaseURL

    package init(_ middlewares: [any UpstreamMiddleware], endingAt transport: any RelayTransport, baseURL: BaseURL) {
        self.middlewares = middlewares
        self.transport = transport
        self.baseURL = baseURL
    }

    /// - Parameters:
    ///   - metadata: the metadata of the client's request for which the attempt is made, if there is one.
    ///   - completion: called once, perhaps before this returns.
    /// - Returns: a handle that cancels the request; nil if the request is already over.
    package func send(
        _ request: UpstreamRequest, for metadata: ServerRequestMetadata? = nil,
        completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        guard !middlewares.isEmpty else { return transport.send(request, to: baseURL, completion: completion) }
        return UpstreamNext(self, at: 0, for: metadata)(request, completion: completion)
    }
}

/// Sends relayed requests to one upstream. Heads stay encoded, and no task waits: a request in flight is an object on
/// its loop.
package protocol RelayTransport: Sendable {
    /// - Parameter completion: called once, on the same loop, perhaps before this returns.
    /// - Returns: a handle that cancels the request, whose completion then gets a `cancelled` error; nil if the request
    ///   is already over.
    func send(
        _ request: UpstreamRequest, to baseURL: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)?
}

package typealias UpstreamCompletion = (Result<UpstreamResponse, TransportError>) -> Void

extension RelayTransport {
    /// Sends a request for a task on the loop.
    package func send(_ request: UpstreamRequest, to baseURL: BaseURL) async throws -> UpstreamResponse {
        try await waitInTask { completion in
            send(request, to: baseURL) { completion($0.mapError { $0 }) }
        }
    }
}
