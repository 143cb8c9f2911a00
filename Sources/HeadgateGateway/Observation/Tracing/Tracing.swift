package import HeadgateConfiguration
package import HeadgateRelay

/// What traces of a configuration have in common. It is nowhere in a chain of a gateway that traces nothing.
package struct Tracing: Sendable {
    let sampling: TraceSampling
    /// Whether spans hold what was asked and answered.
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

    /// The context of a request's own span.
    ///
    /// - Parameter caller: nil where the trace begins here.
    func context(after caller: TraceContext?) -> TraceContext {
        if let caller, sampling.followsCallers { return caller.child(.random()) }
        let id = caller?.traceID ?? .random()
        return TraceContext(
            traceID: id, spanID: .random(), isSampled: sampling.takes(id), state: caller?.state ?? "")
    }

    /// What is known of the trace with a request's own span; nil when its outcome was told.
    func trace(of context: TraceContext) -> RequestTrace? {
        var trace: RequestTrace?
        recording.change { trace = $0[context.spanID] }
        return trace
    }

    /// Takes the trace away.
    func end(_ context: TraceContext) -> RequestTrace? {
        var trace: RequestTrace?
        recording.change { trace = $0.removeValue(forKey: context.spanID) }
        return trace
    }
}

/// The traces of one loop's requests, by the ids of their own spans.
package typealias TraceTable = [SpanID: RequestTrace]

/// Where spans go, and where loops keep their traces.
package protocol SpanRecording: Sendable {
    /// Changes the table of the loop that it is called on.
    func change(_ change: (inout TraceTable) -> Void)

    /// Takes spans that are over. Must not block: it is called on the loops.
    func record(_ spans: [Span])
}

extension TraceSampling {
    /// The same for all who see the trace: by its id alone, as OpenTelemetry's libraries do.
    func takes(_ id: TraceID) -> Bool { id.low >> 1 < UInt64(ratio * 0x1p63) }
}
