internal import HeadgateHTTP
internal import HeadgateRelay

/// One reader of a response that is retained for several. Loop-confined.
protocol ReplayReader {
    /// - Parameter wake: called when there is more, after ``ReplayBody/Part/later``.
    /// - Returns: the next part, and the writer to wake.
    func read(_ wake: @escaping @Sendable () -> Void) -> (part: ReplayBody.Part, writer: (@Sendable () -> Void)?)

    /// Leaves the response. Called once, when nothing more is read.
    func leave()

    /// Response that an error event ends.
    var brokenResponse: BrokenResponse { get }
}

/// Body for one of several readers of a retained response. Loop-confined.
final class ReplayBody: BodySource {
    enum Part {
        case bytes([UInt8])
        case end(Result<BodyEnd, any Error>)
        /// The next bytes were dropped, because other readers are far ahead.
        case lost(GatewayError)
        /// The reader will be woken up.
        case later
    }

    private let reader: any ReplayReader
    private let metadata: ServerRequestMetadata
    private var sink: (any BodySink)?
    private var hasLeft = false
    private var isPaused = false
    private var isPassing = false
    /// Ignored, because the upstream's silence is watched where its body is read.
    var bytesAreProgress = true

    init(_ reader: any ReplayReader, _ metadata: ServerRequestMetadata) {
        self.reader = reader
        self.metadata = metadata
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        passOn()
    }

    private func passOn() {
        // The sink can resume, and the writer write, while the sink receives a part.
        guard !isPassing else { return }
        isPassing = true
        defer { isPassing = false }
        while let sink, !isPaused {
            let (part, writer) = reader.read(metadata.waker { [self] in passOn() })
            switch part {
            case .bytes(let bytes): bytes.withUnsafeBytes { sink.receive($0) }
            case .end(let end):
                leave()
                switch end {
                case .success(let end): sink.finish(end)
                case .failure(let error): sink.fail(error)
                }
            case .lost(let error): fail(error, sink)
            case .later:
                // The writer can wake this reader before it returns.
                isPassing = false
                writer?()
                return
            }
            writer?()
        }
    }

    /// Ends the response like one that broke off. The error event has no id, so that the client still requests the
    /// events that it lacks.
    private func fail(_ error: GatewayError, _ sink: any BodySink) {
        let broken = reader.brokenResponse
        leave()
        metadata.record.note(error)
        var event: [UInt8] = []
        (metadata.dialect ?? .openAI).appendEvent(error, of: broken, to: &event)
        event.withUnsafeBytes { sink.receive($0) }
        sink.finish(.completeThenClose)
    }

    private func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        sink = nil
        reader.leave()
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
