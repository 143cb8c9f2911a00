internal import HeadgateHTTP

/// Relay of a stream from the upstream's body through its transform to the client's connection, without buffering.
///
/// Loop-confined. Back-pressure and cancellation pass through; the side that ends first ends the other.
final class StreamRelay: BodyStage {
    private let transform: any StreamTransform
    private let record: RequestRecord
    /// Completion to call once it is known whether there is a stream; nil afterwards.
    private var opening: ((Result<Void, any Error>) -> Void)?
    /// Output before the client's side has started, and at the end.
    private var output: [UInt8] = []
    /// Sink to which output is written directly, from the start of the client's side until the end.
    private var destination: (any BodySink)?
    private var end: BodyEnd? {
        didSet {
            destination = nil
            stopClocks()
        }
    }
    private let dialect: Dialect
    private var isCommitted = false
    private var hasBegun = false
    private var hasContent = false
    /// Whether nothing is sent downstream before the first content, since another attempt can follow.
    private var isHolding = false
    private var isHeldBack = false
    private var isPaused = false
    private var holdTimer: (any Cancellable)?
    /// Deadline for the first content.
    private var contentDeadline: ResponseDeadline?
    /// Deadline for the whole response.
    private var deadline: ResponseDeadline?

    private static let heldBackAbove = 64 * 1024
    /// Time after which a stream without content is relayed anyway, so that the client sees that it is alive.
    private static let longestHold = Duration.seconds(15)

    /// - Parameter dialect: the dialect of error events.
    init(source: any BodySource, transform: any StreamTransform, dialect: Dialect, record: RequestRecord) {
        self.transform = transform
        self.dialect = dialect
        self.record = record
        super.init(source)
    }

    /// Starts the upstream's body and waits until it is known to be a stream.
    ///
    /// - Parameter completion: called once, possibly before this method returns. A failure is a ``GatewayError``, which
    ///   can still become a status, or a ``TransportError`` if the relay was cancelled.
    /// - Returns: a handle that cancels the relay; nil if the wait is already over.
    func open(completion: @escaping (Result<Void, any Error>) -> Void) -> (any Cancellable)? {
        record.track(transform)
        // Comments, or an event that never ends, are not progress.
        source.bytesAreProgress = false
        opening = completion
        if isCommitted { opened(.success(())) }
        // The completion can have cancelled the relay.
        guard end == nil else { return nil }
        source.start(self)
        return opening == nil ? nil : self
    }

    /// Holds back the output before the first content for a limited time, in which another upstream can be tried.
    func hold(_ metadata: ServerRequestMetadata) {
        isHolding = true
        holdTimer = metadata.after(StreamRelay.longestHold) { [self] in release() }
    }

    /// Commits to a stream that the upstream has not begun yet. Called before ``open(completion:)``.
    func beginEarly() {
        isHolding = false
        commit()
    }

    private func release() {
        isHolding = false
        guard end == nil, transform.hasBegun else { return }
        commit()
        flush()
    }

    /// Sets the deadline for the first content, unless content has already arrived.
    func expectContent(by deadline: ResponseDeadline) { if !hasContent { contentDeadline = deadline } }

    private func stopClocks() {
        holdTimer?.cancel()
        holdTimer = nil
        contentDeadline?.cancel()
        contentDeadline = nil
        deadline?.cancel()
        deadline = nil
    }

    private func opened(_ result: Result<Void, any Error>) {
        opening.take()?(result)
    }

    // MARK: From the upstream

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        guard end == nil else { return }
        var verdict: EventAssembler.Verdict?
        destination?.receive(about: chunk.count) { verdict = transform.receive(chunk, into: &$0) }
        conclude(verdict ?? write { transform.receive(chunk, into: &$0) })
    }

    /// Moves ``output`` out while it is written, since each access to a stored property is checked at run time.
    @inline(__always)
    private func write<Result>(_ append: (inout [UInt8]) -> Result) -> Result {
        var written: [UInt8] = []
        swap(&written, &output)
        defer { swap(&written, &output) }
        return append(&written)
    }

    override func finish(_: BodyEnd) {
        guard end == nil else { return }
        conclude(write { transform.end(nil, into: &$0) })
    }

    override func fail(_ error: any Error) {
        guard end == nil else { return }
        conclude(write { transform.end(error, into: &$0) })
    }

    private func conclude(_ verdict: EventAssembler.Verdict) {
        if transform.madeProgress {
            if !hasContent { noteFirstContent() }
            source.note(.content)
        } else if !hasBegun, transform.hasBegun {
            // The stream has begun, without content so far.
            hasBegun = true
            source.note(.content)
        } else {
            source.note(transform.isInsideEvent ? .underWay : .nothing)
        }
        switch verdict {
        case .more:
            if !isCommitted, transform.hasBegun, mayCommit { commit() }
            flush()
        case .finished(let unclean):
            // If another attempt can follow, a stream without any event is a failure.
            if isHolding, !transform.hasEvents { return end(because: .incompleteStream(.emptyStream)) }
            record.facts.isUncleanEnd = unclean
            source.discardRest()
            commit()
            end(with: .complete)
        case .failed(let error): end(because: error)
        case .reported(let error): end(because: error, isTold: true)
        }
    }

    private var mayCommit: Bool { !isHolding || hasContent || output.count > StreamRelay.heldBackAbove }

    private func noteFirstContent() {
        hasContent = true
        record.noteFirstContent()
        contentDeadline?.cancel()
        contentDeadline = nil
    }

    /// Ends the stream with an error.
    ///
    /// - Parameter isTold: whether the client gets the error from the upstream's own event.
    private func end(because error: GatewayError, isTold: Bool = false) {
        source.cancel()
        // Send the content that came with the error, unless another attempt can generate all of it again.
        if hasContent, !isHolding { commit() }
        guard isCommitted else {
            end = .completeThenClose
            return opened(.failure(error))
        }
        record.note(error)
        if isTold { return end(with: .completeThenClose) }
        var answer = transform.brokenResponse
        answer.requestID = record.facts.requestID
        write { dialect.appendEvent(error, of: answer, to: &$0) }
        end(with: .completeThenClose)
    }

    /// Commits to this stream: from here on, an error is sent as an event.
    private func commit() {
        guard !isCommitted else { return }
        isCommitted = true
        holdTimer?.cancel()
        holdTimer = nil
        opened(.success(()))
    }

    private func flush() {
        guard hasSink else { return holdBack() }
        guard !output.isEmpty else { return }
        var written: [UInt8] = []
        swap(&written, &output)
        written.withUnsafeBytes { pass($0) }
        guard written.capacity <= 64 * 1024 else { return }
        written.removeAll(keepingCapacity: true)
        swap(&written, &output)
    }

    /// Pauses the upstream until the client's side has started, since a small compressed chunk can decode to a lot.
    private func holdBack() {
        guard isCommitted, output.count > StreamRelay.heldBackAbove, !isHeldBack, end == nil else { return }
        isHeldBack = true
        source.pause()
    }

    private func end(with end: BodyEnd) {
        self.end = end
        // A client that sees the end of the stream can send its next request at once.
        record.lease?.releaseSlot()
        flush()
        passEnd(.success(end))
    }

    // MARK: To the client

    override func start(_ sink: any BodySink) {
        let written = output
        output = []
        if !written.isEmpty { written.withUnsafeBytes { sink.receive($0) } }
        if let end { return sink.finish(end) }
        attach(sink)
        // A limited request releases its slot before the end is written. The end is known only after it was encoded.
        if record.lease == nil { destination = beyond }
        if isHeldBack, !isPaused { source.resume() }
        isHeldBack = false
    }

    override func pause() {
        isPaused = true
        source.pause()
    }

    override func resume() {
        isPaused = false
        source.resume()
    }

    override func discardRest() { cancel() }

    override func cancel() {
        detach()
        guard end == nil else { return }
        end = .completeThenClose
        source.cancel()
        opened(.failure(TransportError(.cancelled)))
    }
}

extension StreamRelay: ExpiringBody {
    func end(by deadline: ResponseDeadline) {
        if end == nil { self.deadline = deadline } else { deadline.cancel() }
    }

    func deadlinePassed(_ error: GatewayError) {
        if end == nil { end(because: error) }
    }
}
