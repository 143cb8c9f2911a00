internal import HeadgateHTTP

/// A wait that can be cancelled, which calls its completion. Loop-confined.
private final class Pause: Cancellable {
    private var timer: (any Cancellable)?
    private var completion: ((Result<Void, any Error>) -> Void)?

    init(_ completion: @escaping (Result<Void, any Error>) -> Void) { self.completion = completion }

    func start(_ duration: Duration, _ metadata: ServerRequestMetadata) {
        // The timer calls back on the loop of the request.
        nonisolated(unsafe) let pause = self
        timer = metadata.after(duration) { pause.end(.success(())) }
    }

    func cancel() {
        timer?.cancel()
        end(.failure(TransportError(.cancelled)))
    }

    private func end(_ result: Result<Void, any Error>) {
        timer = nil
        let waiting = completion
        completion = nil
        waiting?(result)
    }
}

extension PendingCall {
    /// Waits a while, as a step: before another attempt, say.
    ///
    /// - Parameter goOn: called once, on the loop of the request; given a `cancelled` ``TransportError`` when the wait
    ///   was cancelled.
    func pause(
        _ duration: Duration, _ metadata: ServerRequestMetadata, then goOn: @escaping (Result<Void, any Error>) -> Void
    ) {
        wait {
            let pause = Pause { [self] result in
                stepEnded()
                goOn(result)
            }
            pause.start(duration, metadata)
            return pause
        }
    }
}
