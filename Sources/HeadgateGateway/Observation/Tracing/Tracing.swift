package import HeadgateConfiguration
package import HeadgateRelay

/// Settings that all traces of a configuration share. Without tracing, it is in none of the gateway's chains.
package struct Tracing: Sendable {
    let sampling: TraceSampling
    /// Whether spans contain the messages of requests and responses.
    let hasContent: Bool
    let recording: any SpanRecording
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    package init(
        _ configuration: TracingConfiguration, recording: any SpanRecording,
        realtime: @escaping @Sendable () -> Int64
    ) {
        sampling = configuration.sampling
        hasContent = configuration.hasContent
        self.recording = recording
        self.realtime = realtime
    }

    /// Returns the context of a request's own span.
    ///
    /// - Parameter caller: context that the caller sent; nil if the trace begins here.
    func context(after caller: TraceContext?) -> TraceContext {
        if let caller, sampling.followsCallers { return caller.child(.random()) }
        let id = caller?.traceID ?? .random()
        return TraceContext(
            traceID: id, spanID: .random(), isSampled: sampling.takes(id), state: caller?.state ?? "")
    }

    /// Returns the trace with a request's own span; nil once its outcome was reported.
    func trace(of context: TraceContext) -> RequestTrace? {
        var trace: RequestTrace?
        recording.change { trace = $0[context.spanID] }
        return trace
    }

    /// Removes the trace with a request's own span, and returns it.
    func end(_ context: TraceContext) -> RequestTrace? {
        var trace: RequestTrace?
        recording.change { trace = $0.removeValue(forKey: context.spanID) }
        return trace
    }
}

/// Traces of one loop's requests, by the ids of their own spans.
package typealias TraceTable = [SpanID: RequestTrace]

/// Destination of spans, and storage for the traces of each loop.
package protocol SpanRecording: Sendable {
    /// Changes the table of the loop that it is called on.
    func change(_ change: (inout TraceTable) -> Void)

    /// Records finished spans. Must not block: it is called on the loops.
    func record(_ spans: [Span])
}

extension TraceSampling {
    /// Returns whether a trace is sampled. Like OpenTelemetry's libraries, it decides by the id alone, so every service
    /// decides the same.
    func takes(_ id: TraceID) -> Bool { id.low >> 1 < UInt64(ratio * 0x1p63) }
}
