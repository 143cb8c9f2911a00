import HeadgateHTTP

/// Metadata of a request without a loop: the test's task replaces it.
final class InProcessMetadata: ServerRequestMetadata {
    /// Due work for the task that waits for the response. The stream ends with the response.
    let (due, waits) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)

    func respond() { waits.finish() }

    /// Returns a receiver that passes values from another thread to the test's task.
    override func receiver<Value: Sendable>(_ action: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        let waits = waits
        nonisolated(unsafe) let action = action
        return { value in waits.yield { action(value) } }
    }

    /// Runs an action with a zero delay at once, on the thread of the test.
    override func after(_ delay: Duration, _ action: @escaping () -> Void) -> (any Cancellable)? {
        guard delay != .zero else {
            action()
            return nil
        }
        let waits = waits
        nonisolated(unsafe) let action = action
        return super.after(delay) { waits.yield { action() } }
    }
}
