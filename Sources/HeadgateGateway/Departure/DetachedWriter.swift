internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Reads a stream from its upstream into its buffer, whether its client is there or not. Loop-confined, to the loop of
/// its request.
final class DetachedWriter: BodySink {
    private let key: DetachedStreams.Key
    private let streams: DetachedStreams.Guarded
    private let limits: StreamsConfiguration
    private let metadata: ServerRequestMetadata
    private let dialect: Dialect
    private var numbering = EventNumbering()
    private var source: (any BodySource)?
    private var held: HeldOutcome?

    init(
        _ key: DetachedStreams.Key, _ streams: @escaping DetachedStreams.Guarded, _ limits: StreamsConfiguration,
        _ dialect: Dialect, _ metadata: ServerRequestMetadata
    ) {
        self.key = key
        self.streams = streams
        self.limits = limits
        self.dialect = dialect
        self.metadata = metadata
    }

    func start(_ source: any BodySource, _ departures: @escaping Departures.Guarded) {
        self.source = source
        held = HeldOutcome(metadata, departures) { [self] in stop(.shuttingDown, .broken) }
        source.start(self)
    }

    /// Ends the upstream's work before its end.
    func stop(_ error: GatewayError, _ departure: HeldOutcome.Departure) {
        guard let source else { return }
        source.cancel()
        var text: [UInt8] = []
        var broken = metadata.record.transform?.brokenResponse ?? BrokenResponse()
        broken.requestID = metadata.record.requestID
        dialect.appendEvent(error, of: broken, to: &text)
        let event = text.withUnsafeBytes { numbering.take($0) }
        end(.broken, saying: event.flatMap(\.self), departure)
    }

    private func end(_ end: DetachedStream.End, saying event: [UInt8]? = nil, _ departure: HeldOutcome.Departure) {
        source = nil
        var wakes: [DetachedStream.Wake] = []
        streams { wakes = $0.finish(key, end, saying: event) }
        let held = held
        self.held = nil
        held?.release(departure)
        for wake in wakes { wake() }
    }

    // MARK: The stream

    func receive(_ chunk: UnsafeRawBufferPointer) {
        let events = numbering.take(chunk)
        guard !events.isEmpty, source != nil else { return }
        let wake = metadata.waker { [self] in source?.resume() }
        var appended: (wakes: [DetachedStream.Wake], room: DetachedStreams.Room) = ([], .none)
        streams { appended = $0.append(events, to: key, limits, whenThereIsRoom: wake) }
        switch appended.room {
        case .free: break
        case .later: source?.pause()
        case .none: stop(.streamBufferFull, .bufferFull)
        }
        for wake in appended.wakes { wake() }
    }

    func finish(_ end: BodyEnd) {
        self.end(end == .complete ? .complete : .broken, end == .complete ? .detached : .broken)
    }

    func fail(_: any Error) { end(.broken, .broken) }
}
