package import HeadgateHTTP

extension PendingCall {
    /// Queries a store as one step of the call.
    ///
    /// - Parameters:
    ///   - failure: error if the store cannot answer, or does not answer in time.
    ///   - question: sends the query; receives the interest, which is over once the call no longer waits, and the
    ///     completion for the answer.
    ///   - goOn: called once, on the loop of the request; receives a `cancelled` ``TransportError`` if the step was
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

/// Deadline of a store query. The store itself waits 2 s for another process that has locked its file.
package enum StoreDeadline {
    static let longest = Duration.seconds(10)
}

/// Pending answer of a store. Loop-confined.
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
