internal import HeadgateHTTP

/// Admits requests to the on-device model while it is ready; shared by all loops.
struct OnDeviceGate: Sendable {
    private(set) var state = OnDeviceState.starting("starting")
    /// Whether the gate is closed permanently. Later states of the supervisor do not open it again.
    private var isStopped = false
    private var waiting: [LocalServerWaiter] = []

    /// Sets the state.
    ///
    /// - Returns: the waiting requests and their result; nil if they continue to wait.
    mutating func set(_ state: OnDeviceState) -> (waiters: [LocalServerWaiter], Result<Void, TransportError>)? {
        guard !isStopped else { return nil }
        self.state = state
        guard let answer else { return nil }
        defer { waiting = [] }
        return (waiting, answer)
    }

    /// Refuses all waiting and later requests.
    mutating func stop() -> (waiters: [LocalServerWaiter], Result<Void, TransportError>)? {
        defer { isStopped = true }
        return set(.failed("the on-device model is being stopped"))
    }

    /// Returns the result for a request; nil if the request is queued.
    mutating func ask(for waiter: LocalServerWaiter) -> Result<Void, TransportError>? {
        if let answer { return answer }
        // A waiter with a result was cancelled before it got here.
        if !waiter.isTold { waiting.append(waiter) }
        return nil
    }

    mutating func forget(_ waiter: LocalServerWaiter) { waiting.removeAll { $0 === waiter } }

    var notReady: TransportError {
        if case .starting(let what) = state {
            return TransportError(.notReady, "the on-device model is starting: \(what)")
        }
        return TransportError(.notReady, "the on-device model is starting again")
    }

    private var answer: Result<Void, TransportError>? {
        switch state {
        case .starting, .restarting: nil
        case .ready: .success(())
        case .failed(let why): .failure(TransportError(.unavailable, why))
        }
    }
}
