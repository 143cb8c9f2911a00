internal import HeadgateHTTP

/// Carries a stream from the upstream's body through its transform to the client's connection. No byte waits for
/// another.
///
/// Loop-confined. Back-pressure and cancellation pass through; whatever ends first ends the other side.
final class StreamRelay: BodySource, BodySink {
    private let source: any BodySource
    private let transform: StreamTransform
    private let dialect: Dialect
    private let record: RequestRecord
    private var sink: (any BodySink)?
    private let opening: AnswerWait<Void>
    /// Written and not yet handed on: one piece per chunk of the upstream, more only before the client's side has
    /// started.
    private var output: [UInt8] = []
    private var ended: BodyEnd?
    private var isCommitted = false
    private var hasContent = false
    private var isHeldBack = false
    private var isPaused = false

    private static let heldBackAbove = 64 * 1024

    var bytesAreProgress = true

    /// - Parameter dialect: in which the client hears of an error.
    init(source: any BodySource, transform: StreamTransform, dialect: Dialect = .openAI, record: RequestRecord) {
        self.source = source
        self.transform = transform
        self.dialect = dialect
        self.record = record
        opening = AnswerWait(for: source)
    }

    /// Starts the upstream's body and waits until it is known to be a stream.
    ///
    /// - Parameter completion: is told of ``GatewayError`` while nothing has been sent downstream, so that it can still become an
    ///   error status, of ``TransportError`` when the client has left; perhaps before this returns.
    /// - Returns: what gives it up; nil when it is over already.
    func open(completion: @escaping (Result<Void, any Error>) -> Void) -> (any Cancellable)? {
        record.ask(transform)
        // An upstream that just sends comments, or one that does not end, has stalled.
        source.bytesAreProgress = false
        opening.start(feeding: self, completion: completion)
        return opening.isOver ? nil : opening
    }

    // MARK: From the upstream

    func receive(_ chunk: UnsafeRawBufferPointer) {
        guard ended == nil else { return }
        conclude(write { transform.receive(chunk, into: &$0) })
    }

    /// Moves ``output`` out while others write to it: each access to it would be checked otherwise.
    @inline(__always)
    private func write<Result>(_ append: (inout [UInt8]) -> Result) -> Result {
        var written: [UInt8] = []
        swap(&written, &output)
        defer { swap(&written, &output) }
        return append(&written)
    }

    func finish(_: BodyEnd) {
        guard ended == nil else { return }
        conclude(write { transform.end(nil, into: &$0) })
    }

    func fail(_ error: any Error) {
        guard ended == nil else { return }
        conclude(write { transform.end(error, into: &$0) })
    }

    private func conclude(_ verdict: StreamTransform.Verdict) {
        if transform.madeProgress {
            if !hasContent { record.noteFirstContent() }
            hasContent = true
            source.note(.content)
        } else if !isCommitted, transform.hasBegun {
            // Nothing yet but that there is a stream.
            source.note(.content)
        } else {
            source.note(transform.isInsideEvent ? .underWay : .nothing)
        }
        switch verdict {
        case .more:
            if transform.hasBegun { commit() }
            flush()
        case .finished(let unclean):
            record.facts.isUncleanEnd = unclean
            source.discardRest()
            commit()
            end(.complete)
        case .failed(let error):
            source.cancel()
            guard isCommitted else {
                ended = .completeThenClose
                return opening.resolve(.failure(error))
            }
            record.note(error)
            var answer = transform.brokenResponse
            answer.requestID = record.facts.requestID
            write { dialect.appendEvent(error, of: answer, to: &$0) }
            end(.completeThenClose)
        }
    }

    /// From here on an error is an event.
    private func commit() {
        guard !isCommitted else { return }
        isCommitted = true
        opening.resolve(.success(()))
    }

    private func flush() {
        guard let sink else { return holdBack() }
        guard !output.isEmpty else { return }
        var written: [UInt8] = []
        swap(&written, &output)
        written.withUnsafeBytes { sink.receive($0) }
        guard written.capacity <= 64 * 1024 else { return }
        written.removeAll(keepingCapacity: true)
        swap(&written, &output)
    }

    /// Until the client's side has started, nobody takes what is written; a little that is compressed could be very much.
    private func holdBack() {
        guard output.count > StreamRelay.heldBackAbove, !isHeldBack, ended == nil else { return }
        isHeldBack = true
        source.pause()
    }

    private func end(_ end: BodyEnd) {
        ended = end
        flush()
        let sink = sink
        self.sink = nil
        sink?.finish(end)
    }

    // MARK: To the client

    func start(_ sink: any BodySink) {
        let written = output
        output = []
        if !written.isEmpty { written.withUnsafeBytes { sink.receive($0) } }
        if let ended { return sink.finish(ended) }
        self.sink = sink
        if isHeldBack, !isPaused { source.resume() }
        isHeldBack = false
    }

    func pause() {
        isPaused = true
        source.pause()
    }

    func resume() {
        isPaused = false
        source.resume()
    }

    func note(_ progress: BodyProgress) { source.note(progress) }
    func discardRest() { cancel() }

    func cancel() {
        sink = nil
        guard ended == nil else { return }
        ended = .completeThenClose
        source.cancel()
    }
}
