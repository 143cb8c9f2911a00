internal import HeadgateHTTP

/// A body whose chunks come as they once came. Loop-confined.
final class PacedBody: BodySource {
    private var chunks: ArraySlice<SharedResponse.Chunk>
    private let metadata: ServerRequestMetadata
    private var sink: (any BodySink)?
    private var startedAt: UInt64 = 0
    private var timer: (any Cancellable)?
    private var isPaused = false
    var bytesAreProgress = true

    init(_ chunks: [SharedResponse.Chunk], _ metadata: ServerRequestMetadata) {
        self.chunks = chunks[...]
        self.metadata = metadata
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        startedAt = metadata.record.now
        passOn()
    }

    private func passOn() {
        while let sink, !isPaused, timer == nil {
            guard let next = chunks.first else {
                self.sink = nil
                return sink.finish(.complete)
            }
            let elapsed = metadata.record.now &- startedAt
            guard next.offset <= elapsed else { return wait(.nanoseconds(Int64(next.offset - elapsed))) }
            chunks.removeFirst()
            next.bytes.withUnsafeBytes { sink.receive($0) }
        }
    }

    private func wait(_ duration: Duration) {
        // The timer calls back on the loop of the request.
        nonisolated(unsafe) let body = self
        timer = metadata.after(duration) {
            body.timer = nil
            body.passOn()
        }
    }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        passOn()
    }

    func note(_: BodyProgress) {}
    func discardRest() { cancel() }

    func cancel() {
        sink = nil
        timer?.cancel()
        timer = nil
    }
}
