internal import HeadgateHTTP

/// Forgets a stream to which nobody has come back. Loop-confined; held by its timer.
final class StreamExpiry {
    private let key: DetachedStreams.Key
    private let streams: DetachedStreams.Guarded
    private var timer: (any Cancellable)?

    private init(_ key: DetachedStreams.Key, _ streams: @escaping DetachedStreams.Guarded) {
        self.key = key
        self.streams = streams
    }

    /// A reader leaves; if it is the last, the time begins after which the stream is forgotten.
    static func leave(
        _ key: DetachedStreams.Key, _ reader: Int, _ streams: @escaping DetachedStreams.Guarded, _ ttl: Duration,
        _ metadata: ServerRequestMetadata
    ) {
        var left: (writer: DetachedStream.Wake?, departure: Int?) = (nil, nil)
        let expiry = StreamExpiry(key, streams)
        let cancel = metadata.waker { expiry.cancel() }
        streams { left = $0.leave(key, reader, cancel) }
        if let departure = left.departure { expiry.start(after: ttl, departure, metadata) }
        left.writer?()
    }

    private func start(after ttl: Duration, _ departure: Int, _ metadata: ServerRequestMetadata) {
        // The timer calls back on the loop of the request.
        nonisolated(unsafe) let expiry = self
        timer = metadata.after(ttl) {
            expiry.timer = nil
            var wakes: [DetachedStream.Wake] = []
            expiry.streams { wakes = $0.expire(expiry.key, after: departure) }
            for wake in wakes { wake() }
        }
    }

    private func cancel() {
        timer?.cancel()
        timer = nil
    }
}
