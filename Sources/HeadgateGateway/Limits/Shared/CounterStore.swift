internal import HeadgateRelay

/// Store in which several gateways count limits and budgets together.
package protocol CounterStore: Sendable {
    /// Identity of the store's data as seen on this loop, nil while the store does not respond. A new epoch means that
    /// the store has lost the earlier counts. Called on a loop.
    var epoch: UInt64? { get }

    /// Whether the store responds on all loops.
    var isWorking: Bool { get }

    /// Takes all claims of a request, or none, in one step. Called on a loop.
    ///
    /// - Parameters:
    ///   - claims: claims on different subjects.
    ///   - completion: called once, on the loop, possibly before this returns. It receives nil if the store has not
    ///     responded in time: the outcome is unknown then, and the store releases taken claims automatically.
    func take(_ claims: [CounterClaim], completion: @escaping (CounterAnswer?) -> Void)
}

/// Claims of a request that a store holds.
package protocol CounterLease: Sendable {
    /// Releases the request's in-flight slots of some subjects; its use is settled later. Called on a loop, at most
    /// once.
    func land(_ subjects: [String])

    /// Ends the lease. Called once, on any thread.
    ///
    /// - Parameter completion: receives whether the store has applied the settlements.
    func settle(_ settlements: [CounterSettlement], completion: @escaping @Sendable (Bool) -> Void)
}

/// Conversions of the stores' unit of time: a tick is a sixteenth of a microsecond. Ticks are exact in numbers with 53
/// significant bits.
package enum CounterTicks {
    package static func ticks(_ nanoseconds: UInt64) -> Int { Int(clamping: nanoseconds / 125 * 2) }

    package static func nanoseconds(_ ticks: Int) -> UInt64 {
        let (product, overflows) = UInt64(max(0, ticks)).multipliedReportingOverflow(by: 125)
        return overflows ? .max : product / 2
    }
}

/// Claim of one request on the limits of one subject.
package struct CounterClaim: Sendable {
    package struct Rate: Sendable {
        package let slot: Int
        /// Ticks until the taken units are available again.
        package let cost: Int
        /// Maximum ticks taken, including this request. A token rate only has to have one token left, so this can
        /// exceed the ticks of a burst by nearly ``cost``.
        package let room: Int
        /// Lower bound of the ticks taken before, from this gateway's own counters; 0 once the store has received it.
        package let seed: Int
    }

    package struct Budget: Sendable {
        /// Name of the unit and the period.
        package let name: String
        /// Beginning of the window, in seconds since 1970.
        package let start: Int64
        package let end: Int64
        package let amount: Int
        package let reserve: Int
        /// Lower bound of the use, from this gateway's own counters; 0 once the store has received it.
        package let seed: Int
        /// Use that was counted while the store did not respond.
        package let unshared: Int
    }

    /// Name of the subject, made of its kind and its name.
    package let subject: String
    package var rates: [Rate] = []
    /// Whether the claim counts the request itself.
    package let isCounted: Bool
    /// Maximum requests in flight; nil without a limit.
    package let inFlight: Int?
    package var budget: Budget?
}

/// Response of a store: the levels, and the lease of an admitted request.
package struct CounterAnswer: Sendable {
    package struct Level: Sendable {
        /// Ticks until the rates' whole bursts are available again, in the order of the claim.
        package let ahead: [Int]
        /// Requests in flight before this one.
        package let inFlight: Int
        package let budget: Budget?

        package init(ahead: [Int], inFlight: Int, budget: Budget?) {
            self.ahead = ahead
            self.inFlight = inFlight
            self.budget = budget
        }
    }

    package struct Budget: Sendable {
        package let spent: Int
        /// Units that other requests have reserved.
        package let reserved: Int
        /// Beginning of the window, in seconds since 1970.
        package let start: Int64

        package init(spent: Int, reserved: Int, start: Int64) {
            self.spent = spent
            self.reserved = reserved
            self.start = start
        }
    }

    /// Levels in the order of the claims.
    package let levels: [Level]
    /// Lease of the request; nil if the request is refused.
    package let lease: (any CounterLease)?

    package init(levels: [Level], lease: (any CounterLease)?) {
        self.levels = levels
        self.lease = lease
    }
}

/// Actual use by one request of one subject's limits.
package struct CounterSettlement: Sendable {
    package struct Rate: Sendable {
        package let slot: Int
        /// Ticks used beyond those taken; a negative number is returned to the rate.
        package let change: Int
    }

    package struct Budget: Sendable {
        package let name: String
        /// Beginning of the window in which the request has ended, in seconds since 1970.
        package let start: Int64
        package let end: Int64
        package let used: Int
        /// Units that the request had reserved.
        package let reserve: Int
    }

    package let subject: String
    package var rates: [Rate] = []
    /// Whether the settlement also releases an in-flight slot.
    package let isCounted: Bool
    package var budget: Budget?

    package init(subject: String, isCounted: Bool) {
        self.subject = subject
        self.isCounted = isCounted
    }

    /// Settlement that releases the slot and the budget's reserve, without any use.
    package var withoutUse: CounterSettlement {
        var rest = CounterSettlement(subject: subject, isCounted: isCounted)
        rest.budget = budget.map { Budget(name: $0.name, start: $0.start, end: $0.end, used: 0, reserve: $0.reserve) }
        return rest
    }
}
