/// Admits requests to a program while it is ready; shared by all loops.
struct LocalServerGate: Sendable {
    private(set) var state = LocalServerState.stopped
    private(set) var requestsInFlight = 0
    /// When the last request ended or the gate opened, in monotonic nanoseconds.
    private var quietSince: UInt64 = 0

    private var isOpen: Bool { state == .ready }

    mutating func set(_ state: LocalServerState, at now: UInt64) {
        if state == .ready, !isOpen { quietSince = now }
        self.state = state
    }

    /// Whether the request may go on, and counts from now on.
    mutating func enter() -> Bool {
        guard isOpen else { return false }
        requestsInFlight += 1
        return true
    }

    mutating func leave(at now: UInt64) {
        requestsInFlight -= 1
        quietSince = now
    }

    /// Closes the gate if it has been quiet for that many nanoseconds, so that no request slips in before the program
    /// is stopped.
    ///
    /// - Returns: when to ask again; nil if it is closed now.
    mutating func closeIfQuiet(for limit: UInt64, at now: UInt64) -> UInt64? {
        guard isOpen else { return nil }
        let (since, overflows) = (requestsInFlight > 0 ? now : quietSince).addingReportingOverflow(limit)
        guard !overflows, since <= now else { return overflows ? .max : since }
        state = .stopping
        return nil
    }
}
