package import HeadgateHTTP

/// Cancellable wait, which calls its completion even if it is cancelled. Loop-confined.
private final class Pause: Cancellable {
    private var timer: (any Cancellable)?
    private var completion: ((Result<Void, any Error>) -> Void)?

    init(_ completion: @escaping (Result<Void, any Error>) -> Void) { self.completion = completion }

    func start(_ duration: Duration, _ metadata: ServerRequestMetadata) {
        timer = metadata.after(duration) { [self] in end(.success(())) }
    }

    func cancel() {
        timer?.cancel()
        end(.failure(TransportError(.cancelled)))
    }

    private func end(_ result: Result<Void, any Error>) {
        timer = nil
        completion.take()?(result)
    }
}

extension PendingCall {
    /// Waits as a step, for example before another attempt.
    ///
    /// - Parameter goOn: called once, on the loop of the request; gets a `cancelled` ``TransportError`` if the wait was
    ///   cancelled.
    package func pause(
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
