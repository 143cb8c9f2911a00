/// A stage between the source and the sink of a body: bytes go down to the sink, back-pressure and cancellation up to
/// the source. This class changes nothing; subclasses override the methods for what they read or change.
///
/// Loop-confined.
open class BodyStage: BodySource, BodySink {
    /// The source of the body.
    public final let source: any BodySource
    private var sink: (any BodySink)?

    /// - Parameter source: started when this is, unless a subclass does it earlier.
    public init(_ source: any BodySource) { self.source = source }

    /// Whether there is a consumer: not before the start, after the end or after a cancellation.
    public final var hasSink: Bool { sink != nil }

    // MARK: Down to the sink

    /// Where the bytes for this stage are to go: to ``beyond`` for a stage that hears the end alone.
    open var entrance: any BodySink { self }
    /// Where bytes go that nothing is done to here. Only after the start.
    public final var beyond: any BodySink { (sink as? BodyStage)?.entrance ?? sink ?? self }

    /// Hands bytes to the sink.
    public final func pass(_ chunk: UnsafeRawBufferPointer) { sink?.receive(chunk) }

    /// Tells the sink of the end; the first time only.
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

    /// The body is over, complete or not, and nothing more is passed on. May be called more than once.
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
