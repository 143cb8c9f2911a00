internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay

/// Where loops count, and what the process knows of itself.
package protocol MetricRecording: Sendable {
    /// Changes the table of the loop that it is called on.
    func record(_ change: (inout RequestTable) -> Void)

    /// Asks every loop.
    ///
    /// - Parameter completion: called once, on some thread.
    func collect(_ completion: @escaping @Sendable ([LoopReading]) -> Void)

    /// What the process knows of itself. It may read files: not to be called on a loop.
    func processFamilies() -> [MetricFamily]
}

/// What one loop has answered.
package struct LoopReading: Sendable {
    let table: RequestTable
    /// How long the question waited for the loop, in nanoseconds.
    let lag: UInt64

    package init(table: RequestTable, lag: UInt64) {
        self.table = table
        self.lag = lag
    }
}

/// Counts every request that has a line in a log of the level `info`: all but polls that succeeded.
struct MetricObserver: OutcomeObserver {
    let recording: any MetricRecording
    let models: ModelTable
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    func observe(_ outcome: inout Outcome) {
        if outcome.isPolled, AccessLog.Level(of: outcome) == .debug { return }
        let model = label(of: &outcome)
        let source = source(of: &outcome)
        recording.record { $0.add(&outcome, model: model, from: source) }
    }

    private func source(of outcome: inout Outcome) -> MetricExemplar.Source? {
        guard !outcome.notes.isEmpty, let trace = outcome.trace, trace.isSampled else { return nil }
        return MetricExemplar.Source(trace: trace.traceID, time: realtime())
    }

    /// A name that a pattern lets through is the client's own.
    private func label(of outcome: inout Outcome) -> String {
        guard let model = outcome.model else { return outcome.requestedModel == nil ? "" : RequestTable.other }
        return models.match(of: model) ?? RequestTable.other
    }
}

extension Capability {
    static func metrics(_ recording: (any MetricRecording)?) -> Capability {
        Capability(
            name: "metrics",
            observer: { context in
                recording.map {
                    MetricObserver(recording: $0, models: context.relay.models, realtime: context.realtime)
                }
            },
            handlers: { context in
                guard let recording else {
                    return [OperationTable.getMetrics.id: .immediate { _, _ in throw GatewayError.metricsOff }]
                }
                let handler = MetricsHandler(recording: recording, context: context)
                return [
                    OperationTable.getMetrics.id: .direct { request, _, metadata, completion in
                        handler.handle(request, metadata, completion: completion)
                    }
                ]
            },
            metrics: { context, now in
                GatewayFamilies(upstreams: context.relay.observedUpstreams, models: context.relay.models).all(at: now)
                    + [
                        MetricFamily(
                            "headgate_request_body_memory_bytes", .gauge, unit: .bytes,
                            help: "Bytes of request bodies and whole responses that are held.",
                            value: .count(context.relay.bodies.memory.held)),
                        MetricFamily(
                            "headgate_draining", .gauge, help: "Whether the gateway is shutting down.",
                            value: .count(context.readiness.isDraining ? 1 : 0)),
                    ]
            })
    }
}
