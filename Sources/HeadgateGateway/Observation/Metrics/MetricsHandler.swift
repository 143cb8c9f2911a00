internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Handler of `GET /metrics`, for admins. Without client keys, every caller is an admin. A separate metrics listener
/// can also admit callers without a key.
struct MetricsHandler: Sendable {
    let recording: any MetricRecording
    private let context: CapabilityContext
    private let providers: [(upstream: String, provider: String)]

    init(recording: any MetricRecording, context: CapabilityContext) {
        self.recording = recording
        self.context = context
        providers = context.relay.definitions.map { ($0.name, $0.providerName) }
    }

    func handle(
        _ request: RequestHead, _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        guard metadata.caller.isAdmin || context.opensMetrics && metadata.needsNoKey else {
            return completion(.failure(GatewayError.notForThisKey))
        }
        let format = MetricText.Format(accept: request.fields.httpFields[.accept])
        let scrape = Scrape(of: self, as: format, metadata, completion: completion)
        metadata.work = scrape
        scrape.start()
    }

    /// Returns all metrics as text.
    ///
    /// - Parameter now: monotonic nanoseconds.
    fileprivate func bytes(of readings: [LoopReading], at now: UInt64, as format: MetricText.Format) -> [UInt8] {
        var table = RequestTable(loops: readings.count)
        var lag = MetricFamily(
            "headgate_loop_lag_seconds", .gauge, unit: .seconds, help: "How long this scrape waited for a loop.")
        for (index, reading) in readings.enumerated() {
            table.add(reading.table)
            lag.add(.number(Double(reading.lag) / 1e9), [MetricLabel("loop", "\(index)")])
        }
        let requests = RequestFamilies(table: table, providers: providers)
        return MetricText.bytes(
            of: requests.all + context.capabilities.metrics(in: context, at: now) + [lag]
                + recording.processFamilies(), as: format)
    }
}

extension ServerRequestMetadata {
    fileprivate var needsNoKey: Bool {
        if case .admitted = connection.admission { true } else { false }
    }
}

/// One reading of all metrics. It queries every loop, and writes the text on a side thread.
private final class Scrape: PendingCall {
    private let handler: MetricsHandler
    private let format: MetricText.Format
    private let metadata: ServerRequestMetadata
    private let completion: RequestHandler.Completion

    init(
        of handler: MetricsHandler, as format: MetricText.Format, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        self.handler = handler
        self.format = format
        self.metadata = metadata
        self.completion = completion
    }

    func start() {
        wait {
            handler.recording.collect(
                metadata.receiver { [self] readings in
                    stepEnded()
                    write(readings)
                })
            return nil
        }
    }

    private func write(_ readings: [LoopReading]) {
        let (handler, format, now) = (handler, format, metadata.record.now)
        aside(metadata) {
            handler.bytes(of: readings, at: now, as: format)
        } then: { [self] result in
            metadata.work = nil
            let fields: HTTPFields = [.contentType: format.mediaType, .cacheControl: "no-store"]
            completion(result.map { ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes($0)) })
        }
    }
}

extension GatewayError {
    static let metricsOff = GatewayError.invalidRequest(
        404, "Metrics are off. Set 'metrics: true' in the configuration to turn them on.", code: "metrics_off",
        cause: .unknownRoute)
}
