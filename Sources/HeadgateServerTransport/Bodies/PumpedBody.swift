internal import HeadgateEventLoop
internal import HeadgateHTTP

/// The body of a response that a handler gives piece by piece, brought to the loop of the connection: a task there asks
/// for each piece when the client has taken enough of those before. Loop-confined.
///
/// The connection watches either the request's body or the response. Where the request has a body that arrives, this
/// sees to a client that does not take the response.
final class PumpedBody: BodySource {
    private let pieces: any PulledBody
    private let loop: EventLoop
    /// Ends with the response.
    private let request: ArrivingBody?
    private let patience: Duration
    /// Runs while the client is to take what it was sent.
    private var stall: LoopTimer?
    private var sink: (any BodySink)?
    private var task: Task<Void, Never>?
    private var isPaused = false
    private var waiting: UnsafeContinuation<Void, Never>?
    var bytesAreProgress = true

    /// - Parameters:
    ///   - request: the body of the request, if it arrives.
    ///   - patience: how long the client of such a request may keep the response waiting.
    init(_ pieces: any PulledBody, on loop: EventLoop, beside request: ArrivingBody?, patience: Duration) {
        self.pieces = pieces
        self.loop = loop
        self.request = request
        self.patience = patience
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        let bound = LoopBound(self, on: loop)
        task = Task(executorPreference: loop) { await bound.value.pump() }
    }

    private func pump() async {
        do {
            while sink != nil, let piece = try await pieces.next() {
                if !piece.isEmpty { piece.withUnsafeBytes { sink?.receive($0) } }
                if isPaused { await withUnsafeContinuation { waiting = $0 } }
            }
            take()?.finish(.complete)
        } catch {
            take()?.fail(error)
        }
    }

    private func take() -> (any BodySink)? {
        defer { sink = nil }
        stall = nil
        // Before the response ends: from then on the connection watches that alone.
        request?.giveUp(HTTPSyntaxError.incompleteBody)
        return sink
    }

    func pause() {
        isPaused = true
        guard request != nil, sink != nil else { return }
        let timer = stall ?? LoopTimer(loop: loop) { [weak self] in self?.abandon() }
        stall = timer
        if !timer.isScheduled { timer.schedule(after: patience) }
    }

    private func abandon() {
        let sink = take()
        cancel()
        sink?.fail(CancellationError())
    }

    func resume() {
        stall?.cancel()
        isPaused = false
        let waiting = waiting
        self.waiting = nil
        waiting?.resume()
    }

    func cancel() {
        _ = take()
        task?.cancel()
        pieces.cancel()
        resume()
    }

    func discardRest() { cancel() }
    func note(_: BodyProgress) {}
}
