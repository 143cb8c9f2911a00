internal import HeadgateEventLoop
internal import HeadgateHTTP

/// The body of a response that a handler gives piece by piece, brought to the loop of the connection: a task there asks
/// for each piece when the client has taken enough of those before. Loop-confined.
final class PumpedBody: BodySource {
    private let pieces: any PulledBody
    private let loop: EventLoop
    private var sink: (any BodySink)?
    private var task: Task<Void, Never>?
    private var isPaused = false
    private var waiting: UnsafeContinuation<Void, Never>?
    var bytesAreProgress = true

    init(_ pieces: any PulledBody, on loop: EventLoop) {
        self.pieces = pieces
        self.loop = loop
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
        sink = nil
        task?.cancel()
        pieces.cancel()
        resume()
    }

    func discardRest() { cancel() }
    func note(_: BodyProgress) {}
}
