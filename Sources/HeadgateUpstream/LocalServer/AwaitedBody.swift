internal import HTTPTypes
internal import HeadgateHTTP

/// Body of a stream whose response began before its server could take the request. It is silent at first, and then
/// continues with the body of the server's response. Loop-confined.
final class AwaitedBody: BodySource, BodySink {
    private var source: (any BodySource)?
    private var sink: (any BodySink)?
    /// End that came before the consumer started.
    private var early: Result<BodyEnd, any Error>?
    private var isPaused = false
    private let cancelled: () -> Void
    var bytesAreProgress = true {
        didSet { source?.bytesAreProgress = bytesAreProgress }
    }

    /// - Parameter cancelled: called if the consumer leaves before the server has responded.
    init(cancelled: @escaping () -> Void) { self.cancelled = cancelled }

    /// Response that a client gets before the server can take the request.
    var response: UpstreamResponse {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
        var response = UpstreamResponse(ResponseHead(head), .stream(self))
        response.isEarly = true
        return response
    }

    /// Continues with the server's response. If the server refuses the request, the body is a document that says why.
    func follow(_ result: Result<UpstreamResponse, TransportError>) {
        switch result {
        case .failure(let error): end(.failure(error))
        case .success(let response):
            guard let body = response.body else { return end(.success(.complete)) }
            let source = body.source
            self.source = source
            source.bytesAreProgress = bytesAreProgress
            if isPaused { source.pause() }
            if sink != nil { source.start(self) }
        }
    }

    private func end(_ result: Result<BodyEnd, any Error>) {
        guard let sink else {
            early = result
            return
        }
        self.sink = nil
        switch result {
        case .success(let end): sink.finish(end)
        case .failure(let error): sink.fail(error)
        }
    }

    // MARK: From the server

    func receive(_ chunk: UnsafeRawBufferPointer) { sink?.receive(chunk) }
    func finish(_ end: BodyEnd) { self.end(.success(end)) }
    func fail(_ error: any Error) { end(.failure(error)) }

    // MARK: To the consumer

    func start(_ sink: any BodySink) {
        self.sink = sink
        if let early { return end(early) }
        source?.start(self)
    }

    func pause() {
        isPaused = true
        source?.pause()
    }

    func resume() {
        isPaused = false
        source?.resume()
    }

    func note(_ progress: BodyProgress) { source?.note(progress) }

    func discardRest() {
        sink = nil
        if let source { source.discardRest() } else { cancelled() }
    }

    func cancel() {
        sink = nil
        if let source { source.cancel() } else { cancelled() }
    }
}
