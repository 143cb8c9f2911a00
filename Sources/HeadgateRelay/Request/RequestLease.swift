package import HeadgateHTTP

/// Claim of a request on its limits, until its outcome. Loop-confined.
package protocol RequestLease: AnyObject {
    /// Whether a limit is on tokens.
    var countsTokens: Bool { get }

    /// Fills in use that the upstream has not counted, as budgets are charged for it.
    func assumeUse(in outcome: inout Outcome)
    /// Fills in the use that budgets are charged if the gateway is killed before the request ends.
    func assumeUse(in entry: inout LedgerEntry)
    /// Releases the slot when the response is about to end.
    func follow(_ response: ServerResponse) -> ServerResponse
    /// Releases the request's in-flight slot before its outcome.
    func releaseSlot()
    /// Counts what the request has used. The lease holds nothing from then on.
    ///
    /// - Parameter outcome: borrowed, not to be changed: see ``OutcomeObserver``.
    func settle(_ outcome: inout Outcome)
}

/// Memory of the process that request bodies can take under this configuration.
package struct BodyBudget: Sendable {
    package let memory: BodyMemory
    /// Bytes of all bodies together.
    let limit: Int

    package init(memory: BodyMemory, limit: Int) {
        self.memory = memory
        self.limit = limit
    }

    package func allowance() -> BodyAllowance { BodyAllowance(of: memory, limit: limit) }
}
