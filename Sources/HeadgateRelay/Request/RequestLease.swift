package import HeadgateHTTP

/// Claim of a request on its limits, held until its outcome. Loop-confined.
package protocol RequestLease: AnyObject {
    /// Whether a limit is on tokens.
    var countsTokens: Bool { get }

    /// Fills in use that the upstream has not counted, because budgets are charged for it.
    func assumeUse(in outcome: inout Outcome)
    /// Fills in the use to charge to budgets if the gateway is killed before the request ends.
    func assumeUse(in entry: inout LedgerEntry)
    /// Returns the response. Its slot is released when it is about to end.
    func follow(_ response: ServerResponse) -> ServerResponse
    /// Releases the request's in-flight slot before its outcome.
    func releaseSlot()
    /// Counts the actual use of the request. The lease holds nothing afterwards.
    ///
    /// - Parameter outcome: passed by reference, must not be changed: see ``OutcomeObserver``.
    func settle(_ outcome: inout Outcome)
}

/// Memory that the request bodies of the process can take under this configuration.
package struct BodyBudget: Sendable {
    package let memory: BodyMemory
    /// Maximum bytes of all bodies together.
    let limit: Int

    package init(memory: BodyMemory, limit: Int) {
        self.memory = memory
        self.limit = limit
    }

    package func allowance() -> BodyAllowance { BodyAllowance(of: memory, limit: limit) }
}
