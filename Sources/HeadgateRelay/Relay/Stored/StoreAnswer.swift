package import HeadgateHTTP

extension PendingCall {
    /// Asks a store, as a step.
    ///
    /// - Parameters:
    ///   - failure: told where the store cannot be asked, or does not answer in time.
    ///   - question: given what tells the store whether the answer is still waited for, and what it calls with it.
    ///   - goOn: called once, on the loop of the request; given a `cancelled` ``TransportError`` when the step was
    ///     cancelled.
    package func ask<Value: Sendable>(
        _ metadata: ServerRequestMetadata, orFail failure: GatewayError, within limit: Duration = StoreDeadline.longest,
        _ question: (StoreInterest, @escaping @Sendable (Result<Value, ResponseStoreFailure>) -> Void) -> Void,
        then goOn: @escaping (Result<Value, any Error>) -> Void
    ) {
        wait {
            let answer = StoreAnswer<Value> { [self] result in
                stepEnded()
                goOn(result)
            }
            // The timer calls back on the loop of the request.
            nonisolated(unsafe) let waiting = answer
            answer.deadline = metadata.after(limit) { waiting.end(.failure(failure)) }
            question(answer.interest, metadata.receiver { answer.end($0.mapError { _ in failure }) })
            return answer
        }
    }
}

/// How long a store is waited for: it waits 2 s itself for another process that has its file locked.
package enum StoreDeadline {
    static let longest = Duration.seconds(10)
}

/// An answer that somebody waits for. Loop-confined.
private final class StoreAnswer<Value>: Cancellable {
    private var completion: ((Result<Value, any Error>) -> Void)?
    var deadline: (any Cancellable)?
    let interest = StoreInterest()

    init(_ completion: @escaping (Result<Value, any Error>) -> Void) { self.completion = completion }

    func cancel() { end(.failure(TransportError(.cancelled))) }

    func end(_ result: Result<Value, any Error>) {
        let completion = completion
        self.completion = nil
        interest.end()
        deadline?.cancel()
        deadline = nil
        completion?(result)
    }
}
