internal import HeadgateHTTP
internal import HeadgateNetwork

/// Sends the body of a request as it arrives, no faster than the upstream accepts it. Loop-confined.
final class RequestUpload: BodySink {
    private let body: StreamedBody
    private weak var transfer: UpstreamTransfer?
    private let channel: ByteChannel
    private var octets = 0
    private var isPaused = false
    /// Whether the upload has ended.
    private(set) var isOver = false
    /// Head of a response that began before the request was complete.
    private var earlyHead: ResponseHead?

    /// Number of queued bytes above which the source is paused.
    static let highWaterMark = 192 * 1024

    init(_ body: StreamedBody, of transfer: UpstreamTransfer, on channel: ByteChannel) {
        self.body = body
        self.transfer = transfer
        self.channel = channel
    }

    func start() { body.source.start(self) }

    /// Resumes the source after the queued bytes have been sent.
    func drained() {
        guard isPaused, !isOver else { return }
        isPaused = false
        transfer?.requestProgressed()
        body.source.resume()
    }

    /// Stops the upload.
    func stop() {
        guard !isOver else { return }
        isOver = true
        body.source.cancel()
    }

    /// Stores the head of an early response until the request is sent, since the receiver of a response can drop the
    /// request.
    ///
    /// - Returns: false if the request is already sent.
    func keep(_ head: ResponseHead) -> Bool {
        if isOver { return false }
        earlyHead = head
        return true
    }

    func takeHead() -> ResponseHead? {
        defer { earlyHead = nil }
        return earlyHead
    }

    // MARK: BodySink

    func receive(_ chunk: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        octets += chunk.count
        if let length = body.length {
            guard octets <= length else { return cancelTransfer() }
            channel.write { $0.append(contentsOf: chunk) }
        } else {
            channel.write { HeadEncoder.appendChunk(chunk, to: &$0) }
        }
        transfer?.requestProgressed()
        guard channel.queuedBytes > RequestUpload.highWaterMark, !isPaused else { return }
        isPaused = true
        body.source.pause()
    }

    func finish(_: BodyEnd) {
        guard !isOver else { return }
        guard body.length.map({ $0 == octets }) ?? true else { return cancelTransfer() }
        isOver = true
        if body.length == nil { channel.write { HeadEncoder.appendLastChunk(to: &$0) } }
        transfer?.requestSent()
    }

    func fail(_: any Error) {
        guard !isOver else { return }
        isOver = true
        transfer?.cancel()
    }

    /// Cancels the transfer because the source has another length than it declared. The upstream must not take this for
    /// the whole request.
    private func cancelTransfer() {
        stop()
        transfer?.cancel()
    }
}
