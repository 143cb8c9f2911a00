internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Middleware that records a span for every attempt at one upstream, and propagates the trace to it.
struct AttemptTracing: UpstreamMiddleware {
    let tracing: Tracing
    /// Provider of the upstream's API.
    let provider: String

    // Sent in lower case, as the specification recommends.
    private static let parent = HTTPField.Name.known("traceparent")
    private static let state = HTTPField.Name.known("tracestate")

    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        guard let metadata = next.metadata, let context = metadata.record.facts.trace else {
            return next(request, completion: completion)
        }
        let own = context.child(.random())
        var request = request
        // A header that the configuration passes on or sets takes precedence.
        if request.head.request.headerFields[.traceparent] == nil {
            request.append(HTTPField(name: AttemptTracing.parent, value: own.traceparent))
            if !own.state.isEmpty { request.append(HTTPField(name: AttemptTracing.state, value: own.state)) }
        }
        guard context.isSampled else { return next(request, completion: completion) }
        let now = metadata.record.now
        let trace =
            tracing.trace(of: context)
            ?? .over(context, clockOffset: tracing.realtime() - Int64(clamping: now))
        let attempt = TracedAttempt(
            own, of: trace, request, to: next.baseURL, tracing, provider: provider, metadata)
        return next(request) { completion(attempt.receive($0)) }
    }
}
