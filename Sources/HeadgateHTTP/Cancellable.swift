/// Work that can be cancelled.
public protocol Cancellable: AnyObject {
    func cancel()
}

/// Waits, in a task on one loop, for work that calls back there. Cancelling the task cancels the work.
///
/// - Parameter start: called with the completion, which must be called once. Returns a handle that cancels the work;
///   nil if the work is already over.
/// - Throws: the error of the work.
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
            // The task was cancelled before the work had started.
            if result == nil, Task.isCancelled { work?.cancel() }
        }
    } onCancel: {
        // If there is a result, its receiver cancels it.
        if result == nil { work?.cancel() }
    }
    guard let result else { throw TransportError(.cancelled) }
    return try result.get()
}
