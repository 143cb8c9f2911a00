internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Expiry of a stream that no client resumes. Loop-confined; retained by its timer.
final class StreamExpiry {
    private let key: DetachedStreams.Key
    private let streams: Locked<DetachedStreams>
    private var timer: (any Cancellable)?

    private init(_ key: DetachedStreams.Key, _ streams: Locked<DetachedStreams>) {
        self.key = key
        self.streams = streams
    }

    /// Removes a reader. After the last one, starts the time after which the stream is deleted.
    static func leave(
        _ key: DetachedStreams.Key, _ reader: Int, _ streams: Locked<DetachedStreams>, _ ttl: Duration,
        _ metadata: ServerRequestMetadata
    ) {
        let expiry = StreamExpiry(key, streams)
        let cancel = metadata.waker { expiry.cancel() }
        let left = streams.withLock { $0.leave(key, reader, cancel) }
        if let disconnect = left.disconnect { expiry.start(after: ttl, disconnect, metadata) }
        left.writer?()
    }

    private func start(after ttl: Duration, _ disconnect: Int, _ metadata: ServerRequestMetadata) {
        timer = metadata.after(ttl) { [self] in
            timer = nil
            let wakes = streams.withLock { $0.deleteExpired(key, after: disconnect) }
            for wake in wakes { wake() }
        }
    }

    private func cancel() {
        timer?.cancel()
        timer = nil
    }
}

/// One client of a detached stream.
struct DetachedReader: ReplayReader {
    let key: DetachedStreams.Key
    let reader: Int
    let streams: Locked<DetachedStreams>
    let ttl: Duration
    let metadata: ServerRequestMetadata

    func read(_ wake: @escaping @Sendable () -> Void) -> (part: ReplayBody.Part, writer: (@Sendable () -> Void)?) {
        let (reading, writer) = streams.withLock { $0.read(key, reader, wake) }
        let part: ReplayBody.Part =
            switch reading {
            case .events(let events): .bytes(events)
            case .end(let end): .end(.success(end == .complete ? .complete : .completeThenClose))
            case .dropped(let first): .lost(.eventsDropped(first: first))
            case .later: .later
            }
        return (part, writer)
    }

    func leave() { StreamExpiry.leave(key, reader, streams, ttl, metadata) }

    var brokenResponse: BrokenResponse {
        var broken = metadata.record.transform?.brokenResponse ?? BrokenResponse()
        broken.requestID = key.id
        return broken
    }
}
