internal import HeadgateHTTP
internal import HeadgateRelay

/// Body whose chunks are sent at their original pace. With hidden usage it is sent in slices, since it is not shared.
///
/// Loop-confined.
final class PacedBody: BodySource {
    private var chunks: ArraySlice<CoalescedResponse.Chunk>
    private let hidesUsage: Bool
    /// Bytes of the first chunk that have been passed on, if usage is hidden.
    private var position = 0
    private static let slice = 64 << 10
    private let metadata: ServerRequestMetadata
    private var sink: (any BodySink)?
    private var startedAt: UInt64 = 0
    private var timer: (any Cancellable)?
    private var isPaused = false
    /// Allowance for the chunks until the reader has all of them.
    var allowance: BodyAllowance?
    var bytesAreProgress = true

    init(_ chunks: [CoalescedResponse.Chunk], hidesUsage: Bool, _ metadata: ServerRequestMetadata) {
        self.chunks = chunks[...]
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
            guard next.offset <= elapsed else { return wait(.nanoseconds(Int64(next.offset - elapsed))) }
            guard hidesUsage else {
                chunks.removeFirst()
                next.bytes.withUnsafeBytes { sink.receive($0) }
                continue
            }
            let bytes = nextSlice(of: next.bytes)
            if !bytes.isEmpty { bytes.withUnsafeBytes { sink.receive($0) } }
        }
    }

    /// Returns the next whole events of the first chunk, without usage.
    private func nextSlice(of chunk: [UInt8]) -> [UInt8] {
        var end = min(position + PacedBody.slice, chunk.count)
        while end < chunk.count, chunk[end - 1] != 0x0A || chunk[end - 2] != 0x0A { end += 1 }
        let slice = chunk.withUnsafeBytes {
            UsageFilter.filtered(UnsafeRawBufferPointer(rebasing: $0[position..<end]))
        }
        position = end
        if end == chunk.count {
            chunks.removeFirst()
            position = 0
        }
        return slice
    }

    private func wait(_ duration: Duration) {
        timer = metadata.after(duration) { [self] in
            timer = nil
            passOn()
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
