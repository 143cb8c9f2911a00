/// Steps of a gateway that is replaced by its successor. Pure: its owner reports events, and performs the steps.
///
/// Until ``Step/finish``, the gateway can continue as before, whatever the successor does.
package struct HandoverStateMachine: Sendable {
    package enum Step: Equatable, Sendable {
        /// Stop accepting connections, and send ``HandoverMessage/commit``.
        case commit
        /// The successor serves: end requests in flight, and the process.
        case finish
        /// Continue as before, for this reason.
        case stay(String)
    }

    private enum Phase {
        /// The successor checks its configuration.
        case checking
        /// The successor opens stores and sockets. This gateway accepts no connections.
        case beginning
        case over
    }

    private var phase = Phase.checking

    package init() {}

    package mutating func receive(_ message: HandoverMessage) -> Step {
        switch (phase, message) {
        case (.checking, .ready):
            phase = .beginning
            return .commit
        case (.beginning, .serving):
            phase = .over
            return .finish
        case (.checking, .refused(let reason)), (.beginning, .refused(let reason)): return stay(reason)
        default: return stay("the new process sent a message out of order")
        }
    }

    /// - Parameter isEnding: whether the gateway itself is shutting down.
    package mutating func fail(_ error: HandoverError, isEnding: Bool) -> Step {
        if isEnding { return stay("the gateway is shutting down") }
        switch (error, phase) {
        case (.ended, _): return stay("the new process ended before it served; its output is in the gateway's log")
        case (.silent, .beginning): return stay("the new process was ready, but did not begin to serve in time")
        case (.silent, _): return stay("the new process was not ready in time")
        case (.foreign, _), (.system, _): return stay("the new process cannot be understood: \(error)")
        }
    }

    private mutating func stay(_ reason: String) -> Step {
        phase = .over
        return .stay(reason)
    }
}
