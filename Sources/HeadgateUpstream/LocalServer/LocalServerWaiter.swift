internal import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgatePrimitives

/// Request that waits for its program. It gets one result, or is cancelled before.
final class LocalServerWaiter: Sendable {
    private enum State {
        case new
        case waiting(UnsafeContinuation<Void, any Error>)
        case told(Result<Void, TransportError>)
    }

    private let state = Locked(State.new)

    var isTold: Bool {
        state.withLock { state in
            if case .told = state { return true }
            return false
        }
    }

    /// Waits for the result, which can exist already.
    func wait(_ continuation: UnsafeContinuation<Void, any Error>) {
        let told = state.withLock { state -> Result<Void, TransportError>? in
            if case .told(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let told { continuation.resume(with: told) }
    }

    /// Sets the result.
    ///
    /// - Returns: false if there was a result before.
    @discardableResult
    func tell(_ result: Result<Void, TransportError>) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, UnsafeContinuation<Void, any Error>?) in
            defer { if case .told = state {} else { state = .told(result) } }
            switch state {
            case .new: return (true, nil)
            case .waiting(let continuation): return (true, continuation)
            case .told: return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }
}

/// Server on this machine. Requests wait until it is ready.
package protocol AwaitedServer: Sendable {
    /// Admits a request if the server can take it now. If this returns true, ``leave()`` must be called once.
    func enterAtOnce() -> Bool

    /// Waits until the server can take a request. After this returns, ``leave()`` must be called once.
    ///
    /// - Throws: ``TransportError`` of the kind `notReady`, `unavailable` or, for a cancelled task, `cancelled`.
    func enter() async throws

    /// Notes that a request has ended. Can be called from any thread.
    func leave()

    /// Error for a request that has waited for the maximum time.
    var notReady: TransportError { get }
}
