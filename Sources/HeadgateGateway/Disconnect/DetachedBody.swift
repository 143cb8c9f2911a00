internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Body of a detached stream, for one of its clients. Loop-confined.
final class DetachedBody: BodySource {
    private let key: DetachedStreams.Key
    private let reader: Int
    private let streams: Locked<DetachedStreams>
    private let ttl: Duration
    private let metadata: ServerRequestMetadata
    private var sink: (any BodySink)?
    private var hasLeft = false
    private var isPaused = false
    private var isPassing = false
    /// The upstream's silence is watched where its body is read.
    var bytesAreProgress = true

    init(
        _ key: DetachedStreams.Key, _ reader: Int, _ streams: Locked<DetachedStreams>, ttl: Duration,
        _ metadata: ServerRequestMetadata
    ) {
        self.key = key
        self.reader = reader
        self.streams = streams
        self.ttl = ttl
        self.metadata = metadata
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        passOn()
    }

    private func passOn() {
        // The sink can resume, and the writer write, while the sink receives a share.
        guard !isPassing else { return }
        isPassing = true
        defer { isPassing = false }
        while let sink, !isPaused {
            let wake = metadata.waker { [self] in passOn() }
            let read = streams.withLock { $0.read(key, reader, wake) }
            switch read.reading {
            case .events(let events): events.withUnsafeBytes { sink.receive($0) }
            case .end(let end):
                leave()
                sink.finish(end == .complete ? .complete : .completeThenClose)
            case .dropped(let first):
                leave()
                metadata.record.note(.eventsDropped(first: first))
                lastEvent(.eventsDropped(first: first)).withUnsafeBytes { sink.receive($0) }
                sink.finish(.completeThenClose)
            case .later:
                read.writer?()
                return
            }
            read.writer?()
        }
    }

    /// Returns an error event without an id, so that the client still requests the events that it lacks.
    private func lastEvent(_ error: GatewayError) -> [UInt8] {
        var broken = metadata.record.transform?.brokenResponse ?? BrokenResponse()
        broken.requestID = key.id
        var event: [UInt8] = []
        (metadata.dialect ?? .openAI).appendEvent(error, of: broken, to: &event)
        return event
    }

    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        sink = nil
        StreamExpiry.leave(key, reader, streams, ttl, metadata)
    }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        passOn()
    }

    func note(_: BodyProgress) {}
    func discardRest() { leave() }
    func cancel() { leave() }
}
