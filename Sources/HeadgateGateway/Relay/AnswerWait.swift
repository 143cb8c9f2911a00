internal import HeadgateHTTP

/// Waits, in a request's task, for what an upstream's body brings first: that it is a stream, or all of it.
///
/// A client that leaves meanwhile ends the wait and gives the upstream up. Loop-confined; resolved once, the rest is a
/// no-op.
final class AnswerWait<Value: Sendable> {
    private let source: any BodySource
    private var continuation: UnsafeContinuation<Value, any Error>?
    private(set) var isOver = false

    init(for source: any BodySource) { self.source = source }

    /// Starts the body and waits. Called once.
    func value(feeding sink: any BodySink) async throws -> Value {
        // Whoever cancels a request's task does so on the loop that all of this is confined to, as its connection lives
        // there.
        nonisolated(unsafe) let wait = self
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                guard !isOver else { return continuation.resume(throwing: TransportError(.cancelled)) }
                self.continuation = continuation
                source.start(sink)
            }
        } onCancel: {
            wait.cancel()
        }
    }

    func resolve(_ result: Result<Value, any Error>) {
        isOver = true
        let waiting = continuation
        continuation = nil
        waiting?.resume(with: result)
    }

    private func cancel() {
        guard !isOver else { return }
        source.cancel()
        resolve(.failure(TransportError(.cancelled)))
    }
}
