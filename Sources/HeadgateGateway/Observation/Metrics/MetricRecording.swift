internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay

/// The request tables of the loops, and the metrics of the process.
package protocol MetricRecording: Sendable {
    /// Changes the table of the loop that it is called on.
    func record(_ change: (inout RequestTable) -> Void)

    /// Reads the tables of all loops.
    ///
    /// - Parameter completion: called once, on some thread.
    func collect(_ completion: @escaping @Sendable ([LoopReading]) -> Void)

    /// Returns the metrics of the process. It can read files, so do not call it on a loop.
    func processFamilies() -> [MetricFamily]
}

/// Reading of one loop's table.
package struct LoopReading: Sendable {
    let table: RequestTable
    /// Nanoseconds that the reading waited for the loop.
    let lag: UInt64

    package init(table: RequestTable, lag: UInt64) {
        self.table = table
        self.lag = lag
    }
}

/// Observer that counts every request that the access log records at level `info`: all but successful polls.
final class MetricObserver: OutcomeObserver {
    let recording: any MetricRecording
    let models: ModelTable
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64
    private let labels = RequestTable.Labels()

    init(recording: any MetricRecording, models: ModelTable, realtime: @escaping @Sendable () -> Int64) {
        self.recording = recording
        self.models = models
        self.realtime = realtime
    }

    func observe(_ outcome: inout Outcome) {
        if outcome.isPolled, AccessLog.Level(of: outcome) == .debug { return }
        recording.record { table in
            let model = table.isLikeLatest(&outcome, by: labels) ? nil : label(of: &outcome)
            table.add(&outcome, model: model, by: labels, from: source(of: &outcome))
        }
    }

    private func source(of outcome: inout Outcome) -> MetricExemplar.Source? {
        // Few requests have a trace, so its absence is noticed first, without a copy.
        guard outcome.notes[.trace] != nil, let trace = outcome.trace, trace.isSampled else { return nil }
        return MetricExemplar.Source(trace: trace.traceID, time: realtime())
    }

    /// Returns the configured name or pattern, because a name that a pattern matches is chosen by the client.
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
                            help: "Bytes of request bodies and whole responses held in memory.",
                            value: .count(context.relay.bodies.memory.held)),
                        MetricFamily(
                            "headgate_draining", .gauge, help: "Whether the gateway is shutting down.",
                            value: .count(context.readiness.isDraining ? 1 : 0)),
                    ]
            })
    }
}
