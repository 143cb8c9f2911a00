internal import HeadgateHTTP
internal import HeadgateRelay

/// Gate that begins the trace of a request, or continues the caller's trace.
struct TracingGate: ServerGate {
    let tracing: Tracing

    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) {
        let record = metadata.record
        let caller = TraceContext(of: request.fields)
        let context = tracing.context(after: caller)
        record.facts.trace = context
        guard context.isSampled else { return }
        let trace = RequestTrace(
            context, parent: caller?.spanID, clockOffset: tracing.realtime() - Int64(clamping: record.now),
            RequestTrace.Facts(request, metadata.connection))
        tracing.recording.change { $0[context.spanID] = trace }
    }
}

/// Observer that records the spans of a request when its outcome is known.
struct TraceObserver: OutcomeObserver {
    let tracing: Tracing

    func observe(_ outcome: inout Outcome) {
        guard let context = outcome.trace, context.isSampled, let trace = tracing.end(context) else { return }
        tracing.recording.record(trace.spans(of: &outcome))
    }
}

/// Middleware that notes when a request is passed on. This is the time of its cache and fault events.
struct RelayTracing: RelayMiddleware {
    let tracing: Tracing

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        let record = request.metadata.record
        if let context = record.facts.trace, context.isSampled, let trace = tracing.trace(of: context) {
            trace.relayedAt = record.now
        }
        return next(request, completion: completion)
    }
}

extension Capability {
    static func tracing(_ tracing: Tracing?) -> Capability {
        Capability(
            name: "tracing",
            arrival: { _, operation in operation?.isPolled == true ? nil : tracing.map(TracingGate.init) },
            perRequest: { _, _ in tracing.map(RelayTracing.init) },
            // Encloses fault injection: an injected fault is part of the attempt.
            perAttempt: { upstream, _ in
                tracing.map { AttemptTracing(tracing: $0, provider: upstream.providerName) }
            },
            observer: { _ in tracing.map(TraceObserver.init) })
    }
}
