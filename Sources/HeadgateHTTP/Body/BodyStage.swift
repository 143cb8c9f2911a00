/// Stage between the source and the sink of a body. Bytes go down to the sink; back-pressure and cancellation go up to
/// the source. This class changes nothing. Subclasses override the methods for the bytes that they read or change.
///
/// Loop-confined.
open class BodyStage: BodySource, BodySink {
    /// Source of the body.
    public final let source: any BodySource
    private var sink: (any BodySink)?

    /// - Parameter source: the source, which is started with this stage, unless a subclass starts it earlier.
    public init(_ source: any BodySource) { self.source = source }

    /// Whether there is a consumer: from the start until the end or a cancellation.
    public final var hasSink: Bool { sink != nil }

    // MARK: Down to the sink

    /// Sink for the bytes of this stage; ``beyond`` for a stage that only observes the end.
    open var entrance: any BodySink { self }
    /// Sink for bytes that this stage leaves unchanged. Valid only after the start.
    public final var beyond: any BodySink { (sink as? BodyStage)?.entrance ?? sink ?? self }

    /// Passes bytes to the sink.
    public final func pass(_ chunk: UnsafeRawBufferPointer) { sink?.receive(chunk) }

    /// Reports the end to the sink; only the first call has an effect there.
    public final func passEnd(_ end: Result<BodyEnd, any Error>) {
        let sink = sink
        self.sink = nil
        ended()
        switch end {
        case .success(let end): sink?.finish(end)
        case .failure(let error): sink?.fail(error)
        }
    }

    open func receive(_ chunk: UnsafeRawBufferPointer) { pass(chunk) }
    open func finish(_ end: BodyEnd) { passEnd(.success(end)) }
    open func fail(_ error: any Error) { passEnd(.failure(error)) }

    /// Called when the body is over, complete or not, after which nothing is passed on. Can be called more than once.
    open func ended() {}

    // MARK: Up to the source

    open var bytesAreProgress: Bool {
        get { source.bytesAreProgress }
        set { source.bytesAreProgress = newValue }
    }

    open func start(_ sink: any BodySink) {
        attach(sink)
        source.start(self)
    }

    /// Sets the sink without starting the source.
    public final func attach(_ sink: any BodySink) { self.sink = sink }
    /// Stops passing on bytes.
    public final func detach() { sink = nil }

    open func pause() { source.pause() }
    open func resume() { source.resume() }
    open func note(_ progress: BodyProgress) { source.note(progress) }

    open func discardRest() {
        detach()
        source.discardRest()
        ended()
    }

    open func cancel() {
        detach()
        source.cancel()
        ended()
    }
}
