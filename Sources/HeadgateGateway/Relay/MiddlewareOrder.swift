package import HeadgateHTTP

/// The middleware around relayed requests, outermost first: the one place that defines its order.
package struct MiddlewareOrder: Sendable {
    /// Once per request, when the caller, the operation and the body are known and nothing is sent.
    package var perRequest: [any RelayMiddleware]
    /// Once per attempt, around the transport.
    package var perAttempt: [any UpstreamMiddleware]

    package init(perRequest: [any RelayMiddleware] = [], perAttempt: [any UpstreamMiddleware] = []) {
        self.perRequest = perRequest
        self.perAttempt = perAttempt
    }
}
