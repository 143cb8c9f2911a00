internal import HeadgateHTTP

/// Waits for what an upstream's body brings first: that it is a stream, or all of it.
///
/// A client that leaves meanwhile ends the wait and gives the upstream up. Loop-confined; resolved once, the rest is a
/// no-op.
final class AnswerWait<Value: Sendable>: Cancellable {
    private let source: any BodySource
    private var completion: ((Result<Value, any Error>) -> Void)?
    private(set) var isOver = false

    init(for source: any BodySource) { self.source = source }

    /// Starts the body. Called once.
    ///
    /// - Parameter completion: may be called before this returns.
    func start(feeding sink: any BodySink, completion: @escaping (Result<Value, any Error>) -> Void) {
        self.completion = completion
        source.start(sink)
    }

    func resolve(_ outcome: Result<Value, any Error>) {
        guard !isOver else { return }
        isOver = true
        let waiting = completion
        completion = nil
        waiting?(outcome)
    }

    func cancel() {
        guard !isOver else { return }
        source.cancel()
        resolve(.failure(TransportError(.cancelled)))
    }
}
