import HeadgateHTTP

/// Metadata of a request without a loop: the test's task replaces it.
final class InProcessMetadata: ServerRequestMetadata {
    /// Due work for the task that waits for the response. Ends with the response.
    let (due, waits) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)

    func respond() { waits.finish() }

    /// Values from another thread wait for the test's task.
    override func receiver<Value: Sendable>(_ action: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
        let waits = waits
        nonisolated(unsafe) let action = action
        return { value in waits.yield { action(value) } }
    }

    /// No wait at all stays on the thread of the test.
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
