internal import HeadgateHTTP

/// Carries octets that the gateway does not look into, such as speech, from the upstream to the client as they come.
final class MediaRelay: BodySource, BodySink {
    private let source: any BodySource
    private let record: RequestRecord
    private var sink: (any BodySink)?

    init(source: any BodySource, record: RequestRecord) {
        self.source = source
        self.record = record
    }

    var bytesAreProgress: Bool {
        get { source.bytesAreProgress }
        set { source.bytesAreProgress = newValue }
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        source.start(self)
    }

    func receive(_ chunk: UnsafeRawBufferPointer) {
        record.noteFirstContent()
        sink?.receive(chunk)
    }

    func finish(_ end: BodyEnd) {
        let sink = sink
        self.sink = nil
        sink?.finish(end)
    }

    func fail(_ error: any Error) {
        // The head is gone, and a media type has no place for an error: the connection ends inside the body.
        if let error = error as? TransportError { record.note(GatewayError.stream(error)) }
        let sink = sink
        self.sink = nil
        sink?.fail(error)
    }

    func pause() { source.pause() }
    func resume() { source.resume() }
    func note(_ progress: BodyProgress) { source.note(progress) }
    func discardRest() { cancel() }

    func cancel() {
        sink = nil
        source.cancel()
    }
}
