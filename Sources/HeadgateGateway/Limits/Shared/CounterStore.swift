internal import HeadgateRelay

/// Where several gateways count limits and budgets together.
package protocol CounterStore: Sendable {
    /// Which memory of the store is asked on this loop: another one knows nothing of what the one before was told. Nil
    /// while it does not answer. On a loop.
    var epoch: UInt64? { get }

    /// Whether it answers all loops.
    var isWorking: Bool { get }

    /// Takes all that a request needs, or nothing, in one step. On a loop.
    ///
    /// - Parameters:
    ///   - claims: each of another subject.
    ///   - completion: called once, on the loop, perhaps before this returns; given nil where the store has not
    ///     answered in time: whether something was taken is not known then, and the store forgets it by itself.
    func take(_ claims: [CounterClaim], completion: @escaping (CounterAnswer?) -> Void)
}

/// What a request has taken of a store.
package protocol CounterLease: Sendable {
    /// The request is no longer in flight of some subjects; what it has used is settled later. At most once, on a loop.
    func land(_ subjects: [String])

    /// Ends it. Once, on any thread.
    ///
    /// - Parameter completion: told whether the store has done so.
    func settle(_ settlements: [CounterSettlement], completion: @escaping @Sendable (Bool) -> Void)
}

/// Time as stores count it: sixteenths of microseconds, whole numbers that are exact where numbers have 53 bits.
package enum CounterTicks {
    package static func ticks(_ nanoseconds: UInt64) -> Int { Int(clamping: nanoseconds / 125 * 2) }

    package static func nanoseconds(_ ticks: Int) -> UInt64 {
        let (product, overflows) = UInt64(max(0, ticks)).multipliedReportingOverflow(by: 125)
        return overflows ? .max : product / 2
    }
}

/// What one request needs of one subject.
package struct CounterClaim: Sendable {
    package struct Rate: Sendable {
        package let slot: Int
        /// Ticks until what is taken is back.
        package let cost: Int
        /// Ticks that can be taken, this request included. Of tokens one has to be left, so that it can exceed the time
        /// of a burst by nearly ``cost``.
        package let room: Int
        /// What is taken at least, as this gateway knows; 0 once the store was told.
        package let seed: Int
    }

    package struct Budget: Sendable {
        /// Of the unit and the period.
        package let name: String
        /// Seconds since 1970.
        package let start: Int64
        package let end: Int64
        package let amount: Int
        package let reserve: Int
        /// What is used at least, as this gateway knows; 0 once the store was told.
        package let seed: Int
        /// What was used while the store did not answer.
        package let unshared: Int
    }

    /// Of its kind and name.
    package let subject: String
    package var rates: [Rate] = []
    /// Whether the request itself is counted.
    package let isCounted: Bool
    /// Nil without a limit.
    package let inFlight: Int?
    package var budget: Budget?
}

/// What is left, and whether something was taken.
package struct CounterAnswer: Sendable {
    package struct Level: Sendable {
        /// Ticks until the rates are whole again, in the order of the claim.
        package let ahead: [Int]
        /// Before the request.
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
        /// By other requests.
        package let reserved: Int
        /// The beginning of the window, in seconds since 1970.
        package let start: Int64

        package init(spent: Int, reserved: Int, start: Int64) {
            self.spent = spent
            self.reserved = reserved
            self.start = start
        }
    }

    /// In the order of the claims.
    package let levels: [Level]
    /// Nil for a request that is refused.
    package let lease: (any CounterLease)?

    package init(levels: [Level], lease: (any CounterLease)?) {
        self.levels = levels
        self.lease = lease
    }
}

/// What one request has used of one subject in the end.
package struct CounterSettlement: Sendable {
    package struct Rate: Sendable {
        package let slot: Int
        /// Ticks, beyond what was taken; below 0 are given back.
        package let change: Int
    }

    package struct Budget: Sendable {
        package let name: String
        /// The beginning of the window in which the request has ended, and its end, in seconds since 1970.
        package let start: Int64
        package let end: Int64
        package let used: Int
        /// What was reserved.
        package let reserve: Int
    }

    package let subject: String
    package var rates: [Rate] = []
    /// Whether the request is in flight until now.
    package let isCounted: Bool
    package var budget: Budget?

    package init(subject: String, isCounted: Bool) {
        self.subject = subject
        self.isCounted = isCounted
    }

    /// What it gives back, without what was used.
    package var withoutUse: CounterSettlement {
        var rest = CounterSettlement(subject: subject, isCounted: isCounted)
        rest.budget = budget.map { Budget(name: $0.name, start: $0.start, end: $0.end, used: 0, reserve: $0.reserve) }
        return rest
    }
}
