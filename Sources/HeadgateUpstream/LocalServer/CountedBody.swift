internal import HeadgateHTTP

/// The body of a response of a server on this machine, which is in use until it ends, whichever way.
final class CountedBody: BodySource {
    private let source: any BodySource
    private var server: (any AwaitedServer)?
    private var sink: (any BodySink)?

    init(_ source: any BodySource, server: any AwaitedServer) {
        self.source = source
        self.server = server
    }

    deinit { server?.leave() }

    /// Once, however often it is called.
    private func leave() {
        server?.leave()
        server = nil
    }

    var bytesAreProgress: Bool {
        get { source.bytesAreProgress }
        set { source.bytesAreProgress = newValue }
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        source.start(self)
    }

    func pause() { source.pause() }
    func resume() { source.resume() }
    func note(_ progress: BodyProgress) { source.note(progress) }

    func cancel() {
        sink = nil
        source.cancel()
        leave()
    }

    func discardRest() {
        sink = nil
        source.discardRest()
        leave()
    }
}

extension CountedBody: BodySink {
    func receive(_ chunk: UnsafeRawBufferPointer) { sink?.receive(chunk) }

    func finish(_ end: BodyEnd) {
        let sink = sink
        self.sink = nil
        leave()
        sink?.finish(end)
    }

    func fail(_ error: any Error) {
        let sink = sink
        self.sink = nil
        leave()
        sink?.fail(error)
    }
}
