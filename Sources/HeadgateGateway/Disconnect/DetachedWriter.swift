internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Writer that reads a stream from its upstream into its buffer, whether or not its client is connected. Loop-confined,
/// to the loop of its request.
final class DetachedWriter: BodySink {
    private let key: DetachedStreams.Key
    private let streams: Locked<DetachedStreams>
    private let limits: StreamsConfiguration
    /// Maximum bytes of one incomplete event.
    private let eventLimit: Int
    private let metadata: ServerRequestMetadata
    private let dialect: Dialect
    private var numbering = EventNumbering()
    private var source: (any BodySource)?
    private var held: HeldOutcome?
    /// Copy for other gateways; nil if there is none, and after the end.
    var copy: ReplicatedStreamWriter?

    init(
        _ key: DetachedStreams.Key, _ streams: Locked<DetachedStreams>, _ limits: StreamsConfiguration,
        eventLimit: Int, _ dialect: Dialect, _ metadata: ServerRequestMetadata
    ) {
        self.key = key
        self.streams = streams
        self.limits = limits
        self.eventLimit = eventLimit
        self.dialect = dialect
        self.metadata = metadata
    }

    func start(_ source: any BodySource, _ disconnects: Locked<Disconnects>) {
        self.source = source
        held = HeldOutcome(metadata, disconnects) { [self] in stop(.shuttingDown, .broken) }
        copy?.start()
        source.start(self)
    }

    /// Ends the upstream's work before its end.
    func stop(_ error: GatewayError, _ disconnect: HeldOutcome.Disconnect) {
        guard let source else { return }
        source.cancel()
        var text: [UInt8] = []
        var broken = metadata.record.transform?.brokenResponse ?? BrokenResponse()
        broken.requestID = metadata.record.requestID
        dialect.appendEvent(error, of: broken, to: &text)
        end(.broken, saying: numbering.end(with: text), disconnect)
    }

    private func end(_ end: DetachedStream.End, saying event: [UInt8]? = nil, _ disconnect: HeldOutcome.Disconnect) {
        source = nil
        let copy = copy
        self.copy = nil
        let position = copy?.position
        let finished = streams.withLock { $0.finish(key, end, saying: event, sharing: position) }
        copy?.finish(finished.rest, isStopped: disconnect == .stopped)
        let held = held
        self.held = nil
        held?.release(disconnect)
        for wake in finished.wakes { wake() }
    }

    // MARK: The stream

    func receive(_ chunk: UnsafeRawBufferPointer) {
        let events = numbering.take(chunk)
        guard source != nil else { return }
        if !events.isEmpty { append(events) }
        if source != nil, numbering.pending > eventLimit { stop(.incompleteStream(.oversize), .broken) }
    }

    private func append(_ events: [[UInt8]]) {
        let wake = metadata.waker { [self] in source?.resume() }
        let appended = streams.withLock { $0.append(events, to: key, limits, whenThereIsRoom: wake) }
        switch appended.room {
        case .free: break
        case .later: source?.pause()
        case .none:
            numbering.takeBack(events.count)
            stop(.streamBufferFull, .bufferFull)
        }
        copy?.changed()
        for wake in appended.wakes { wake() }
    }

    func finish(_ end: BodyEnd) {
        let isComplete = end == .complete
        self.end(
            isComplete ? .complete : .broken, saying: numbering.takeRest(), isComplete ? .detached : .broken)
    }

    func fail(_: any Error) { end(.broken, .broken) }
}
