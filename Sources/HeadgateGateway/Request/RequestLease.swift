internal import HeadgateHTTP

/// What a request has claimed of its limits, until its outcome. Loop-confined.
protocol RequestLease: AnyObject {
    /// Whether a limit is on tokens.
    var countsTokens: Bool { get }

    /// Fills in the use that nobody has counted as budgets are charged for it.
    func assumeUse(in outcome: inout Outcome)
    /// Fills in the use that budgets are charged if the gateway is killed before the request ends.
    func assumeUse(in entry: inout LedgerEntry)
    /// Has the request land with the response.
    func follow(_ response: ServerResponse) -> ServerResponse
    /// Ends the request's flight before its outcome.
    func releaseSlot()
    /// Counts what the request has used. It holds nothing from then on.
    ///
    /// - Parameter outcome: borrowed, not to be changed: see ``OutcomeObserver``.
    func settle(_ outcome: inout Outcome)
}
