internal import HeadgateHTTP

/// Waits, in a request's task, for what an upstream's body brings first: that it is a stream, or all of it.
///
/// A client that leaves meanwhile ends the wait and gives the upstream up. Loop-confined; resolved once, the rest is a
/// no-op.
final class AnswerWait<Value: Sendable> {
    private let source: any BodySource
    private var continuation: UnsafeContinuation<Value, any Error>?
    private var result: Result<Value, any Error>?

    var isOver: Bool { result != nil }

    init(for source: any BodySource) { self.source = source }

    /// Starts the body and waits. Called once.
    func value(feeding sink: any BodySink) async throws -> Value {
        guard !Task.isCancelled else {
            cancel()
            throw TransportError(.cancelled)
        }
        source.start(sink)
        // The usual case for a whole answer: it came together with its head.
        if let result { return try result.get() }
        // Whoever cancels a request's task does so on the loop that all of this is confined to, as its connection lives there.
        nonisolated(unsafe) let wait = self
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                if let result { return continuation.resume(with: result) }
                self.continuation = continuation
            }
        } onCancel: {
            wait.cancel()
        }
    }

    func resolve(_ outcome: Result<Value, any Error>) {
        guard result == nil else { return }
        result = outcome
        let waiting = continuation
        continuation = nil
        waiting?.resume(with: outcome)
    }

    private func cancel() {
        guard !isOver else { return }
        source.cancel()
        resolve(.failure(TransportError(.cancelled)))
    }
}
