internal import HeadgateEventLoop
package import HeadgateHTTP
internal import HeadgatePrimitives

/// A request that waits for its program: resumed once, or cancelled before.
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

    /// The continuation is resumed at once if there is a result already.
    func wait(_ continuation: UnsafeContinuation<Void, any Error>) {
        let told = state.withLock { state -> Result<Void, TransportError>? in
            if case .told(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let told { continuation.resume(with: told) }
    }

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

/// A server on this machine; requests wait until it is ready.
package protocol AwaitedServer: Sendable {
    /// Lets a request through if the server can take it now. True is followed by one call of ``leave()``.
    func enterAtOnce() -> Bool

    /// Returns when the server can take a request. Each return is followed by one call of ``leave()``.
    ///
    /// - Throws: ``TransportError`` of the kind `notReady`, `unavailable` or, for a cancelled task, `cancelled`.
    func enter() async throws

    /// A request has ended. From any thread.
    func leave()

    /// The error for a request whose longest wait is over.
    var notReady: TransportError { get }
}
