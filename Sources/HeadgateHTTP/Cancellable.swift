/// Work that can be cancelled.
public protocol Cancellable: AnyObject {
    func cancel()
}

/// Waits, in a task on one loop, for work that calls back there. Cancelling the task cancels the work.
///
/// - Parameter start: is given the completion, to be called once, and returns what cancels the work; nil when it is
///   over already.
/// - Throws: what the work failed with.
package func waitInTask<Value>(
    for start: (@escaping (Result<Value, any Error>) -> Void) -> (any Cancellable)?
) async throws -> Value {
    // A request's task is only cancelled on its loop.
    nonisolated(unsafe) var result: Result<Value, any Error>?
    nonisolated(unsafe) var work: (any Cancellable)?
    await withTaskCancellationHandler {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            work = start { outcome in
                result = outcome
                continuation.resume()
            }
            // Cancelled before the work had started.
            if result == nil, Task.isCancelled { work?.cancel() }
        }
    } onCancel: {
        // A result is the receiver's to cancel.
        if result == nil { work?.cancel() }
    }
    guard let result else { throw TransportError(.cancelled) }
    return try result.get()
}
