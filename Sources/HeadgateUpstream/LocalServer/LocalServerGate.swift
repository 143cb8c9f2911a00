/// Admits requests to a program while it is ready; shared by all loops.
struct LocalServerGate: Sendable {
    private(set) var state = LocalServerState.stopped
    private(set) var requestsInFlight = 0
    /// Instant at which the last request ended or the gate opened, in monotonic nanoseconds.
    private(set) var quietSince: UInt64 = 0
    /// Whether the program is in a group, which must learn when no request is in flight.
    private let isGrouped: Bool

    init(isGrouped: Bool = false) { self.isGrouped = isGrouped }

    private var isOpen: Bool { state == .ready }

    mutating func set(_ state: LocalServerState, at now: UInt64) {
        if state == .ready, !isOpen { quietSince = now }
        self.state = state
    }

    /// Admits a request if the gate is open, and counts it.
    ///
    /// - Returns: whether the request is admitted.
    mutating func enter() -> Bool {
        guard isOpen else { return false }
        requestsInFlight += 1
        return true
    }

    /// Counts the end of a request.
    ///
    /// - Returns: whether the program's owner must learn that no request is in flight now.
    mutating func leave(at now: UInt64) -> Bool {
        requestsInFlight -= 1
        quietSince = now
        return requestsInFlight == 0 && (isGrouped || state == .stopping)
    }

    /// Closes the gate for new requests.
    ///
    /// - Returns: whether no request is in flight.
    mutating func close() -> Bool {
        state = .stopping
        return requestsInFlight == 0
    }

    /// Closes the gate if it was quiet for a number of nanoseconds, so that no request is admitted before the program
    /// is stopped.
    ///
    /// - Returns: the instant of the next check; nil if the gate is closed now.
    mutating func closeIfQuiet(for limit: UInt64, at now: UInt64) -> UInt64? {
        guard isOpen else { return nil }
        let (since, overflows) = (requestsInFlight > 0 ? now : quietSince).addingReportingOverflow(limit)
        guard !overflows, since <= now else { return overflows ? .max : since }
        state = .stopping
        return nil
    }
}
