internal import HeadgateHTTP

/// The body of a response from the cache, chunk by chunk: as they once came, or as the reader takes them.
///
/// Loop-confined.
final class PacedBody: BodySource {
    private var chunks: ArraySlice<SharedResponse.Chunk>
    private let isPaced: Bool
    private let hidesUsage: Bool
    private let metadata: ServerRequestMetadata
    private var sink: (any BodySink)?
    private var startedAt: UInt64 = 0
    private var timer: (any Cancellable)?
    private var isPaused = false
    /// Covers the chunks until the reader has all of them.
    var allowance: BodyAllowance?
    var bytesAreProgress = true

    init(_ chunks: [SharedResponse.Chunk], isPaced: Bool, hidesUsage: Bool, _ metadata: ServerRequestMetadata) {
        self.chunks = chunks[...]
        self.isPaced = isPaced
        self.hidesUsage = hidesUsage
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
                allowance = nil
                return sink.finish(.complete)
            }
            let elapsed = metadata.record.now &- startedAt
            guard !isPaced || next.offset <= elapsed else { return wait(.nanoseconds(Int64(next.offset - elapsed))) }
            chunks.removeFirst()
            let bytes = hidesUsage ? next.bytes.withUnsafeBytes(UsageFilter.filtered) : next.bytes
            if !bytes.isEmpty { bytes.withUnsafeBytes { sink.receive($0) } }
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
        (chunks, allowance) = ([], nil)
        timer?.cancel()
        timer = nil
    }
}
