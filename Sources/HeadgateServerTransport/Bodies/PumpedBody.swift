internal import HeadgateEventLoop
internal import HeadgateHTTP

/// The body of a response that a handler produces in pieces, moved to the connection's loop. A task there requests each
/// piece when the client has received enough of the previous ones. Loop-confined.
final class PumpedBody: BodySource {
    private let pieces: any PulledBody
    private let loop: EventLoop
    /// Body of the request, which ends with the response; nil if it does not arrive in pieces.
    private let request: ArrivingBody?
    private let running: RunningHandlers
    private var sink: (any BodySink)?
    private var task: Task<Void, Never>?
    private var isPaused = false
    private var waiting: UnsafeContinuation<Void, Never>?
    var bytesAreProgress = true

    /// - Parameter request: the body of the request, if it arrives in pieces.
    init(_ pieces: any PulledBody, on loop: EventLoop, beside request: ArrivingBody?, running: RunningHandlers) {
        self.pieces = pieces
        self.loop = loop
        self.request = request
        self.running = running
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        let bound = LoopBound(self, on: loop)
        running.begin()
        task = Task(executorPreference: loop) { [running] in
            await bound.value.pump()
            running.end()
        }
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
        request?.cancel(because: HTTPSyntaxError.incompleteBody)
        return sink
    }

    func pause() { isPaused = true }

    func resume() {
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
