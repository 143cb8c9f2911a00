/// Work that can be given up. Whoever waits for it is told, or has lost interest.
public protocol Cancellable: AnyObject {
    func cancel()
}

/// Waits, in a task that lives on one loop, for work that calls back there. Cancelling the task gives the work up.
///
/// - Parameter start: is handed the completion, to be called once, and returns what gives the work up; nil when it is over already.
/// - Throws: what the work failed with.
package func waitInTask<Value>(
    for start: (@escaping (Result<Value, any Error>) -> Void) -> (any Cancellable)?
) async throws -> Value {
    // Whoever cancels a request's task does so on the loop that all of this is confined to.
    nonisolated(unsafe) var result: Result<Value, any Error>?
    nonisolated(unsafe) var work: (any Cancellable)?
    await withTaskCancellationHandler {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            work = start { outcome in
                result = outcome
                continuation.resume()
            }
            // Cancelled before there was anything to give up.
            if result == nil, Task.isCancelled { work?.cancel() }
        }
    } onCancel: {
        // What has succeeded is its receiver's to give up.
        if result == nil { work?.cancel() }
    }
    guard let result else { throw TransportError(.cancelled) }
    return try result.get()
}
