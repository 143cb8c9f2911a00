internal import HeadgateHTTP
internal import HeadgateRelay

/// Stage that reads a stream to its end, within bounds, after its client has disconnected. Loop-confined.
final class DrainedBody: BodyStage {
    /// Longest time for which the stream is read after the disconnect.
    static let longest = Duration.seconds(60)
    /// Maximum bytes that are read after the disconnect: several thousand tokens.
    static let most = 1 << 20

    private let held: HeldOutcome
    private let metadata: ServerRequestMetadata
    private var timer: (any Cancellable)?
    private var isPaused = false
    private var isReadOn = false
    private var isOver = false
    /// Bytes since the disconnect.
    private var octets = 0

    init(_ source: any BodySource, _ held: HeldOutcome, _ metadata: ServerRequestMetadata) {
        self.held = held
        self.metadata = metadata
        super.init(source)
    }

    /// Reads a stream whose client disconnected before it began.
    func readOn() {
        goOn()
        source.start(self)
    }

    private func goOn() {
        detach()
        isReadOn = true
        timer = metadata.after(DrainedBody.longest) { [self] in cancelUpstream(.drainLimit) }
    }

    /// Ends the upstream's work.
    func cancelUpstream(_ disconnect: HeldOutcome.Disconnect) {
        guard !isOver else { return }
        source.cancel()
        end(disconnect)
        passEnd(.failure(TransportError(.cancelled)))
    }

    private func end(_ disconnect: HeldOutcome.Disconnect?) {
        isOver = true
        timer?.cancel()
        timer = nil
        held.release(disconnect)
    }

    // MARK: From the upstream

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        guard isReadOn else { return pass(chunk) }
        octets += chunk.count
        if octets > DrainedBody.most { cancelUpstream(.drainLimit) }
    }

    override func finish(_ end: BodyEnd) {
        self.end(end == .complete ? .drained : .broken)
        passEnd(.success(end))
    }

    override func fail(_ error: any Error) {
        end(.broken)
        passEnd(.failure(error))
    }

    // MARK: From the client

    override func pause() {
        isPaused = true
        source.pause()
    }

    override func resume() {
        isPaused = false
        source.resume()
    }

    override func cancel() {
        guard !isReadOn, !isOver else { return }
        goOn()
        if isPaused { source.resume() }
    }

    override func discardRest() {
        detach()
        source.discardRest()
        if !isOver { end(nil) }
    }
}
