internal import HeadgateHTTP

/// The way of requests to the on-device model, shared by all loops: open while the model can answer.
struct OnDeviceGate: Sendable {
    private(set) var state = OnDeviceState.starting("starting")
    private var waiting: [LocalServerWaiter] = []

    /// Takes over a new state.
    ///
    /// - Returns: who is to be told, and what.
    mutating func set(_ state: OnDeviceState) -> (waiters: [LocalServerWaiter], Result<Void, TransportError>)? {
        self.state = state
        guard let answer else { return nil }
        defer { waiting = [] }
        return (waiting, answer)
    }

    /// What a request is told now; nil if it has to wait, and is kept.
    mutating func ask(for waiter: LocalServerWaiter) -> Result<Void, TransportError>? {
        if let answer { return answer }
        // Cancelled on its way here.
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
