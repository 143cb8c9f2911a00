import HeadgateHTTP

/// Of a request without a loop: the task of the test stands in for it.
final class InProcessMetadata: ServerRequestMetadata {
    /// What waits have come to, for the task that waits for the response. Ends with the response.
    let (due, waits) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)

    func respond() { waits.finish() }

    /// No wait at all stays on the thread of the test.
    override func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> (any Cancellable)? {
        let waits = waits
        guard delay == .zero else { return super.after(delay) { waits.yield(action) } }
        action()
        return nil
    }
}
