/// Cached results of name lookups, and lookups in progress. Pure: time is passed in, and there are no side effects.
struct NameCache {
    enum Answer: Equatable {
        /// - Parameter begins: whether the caller must start a lookup, to refresh an old result.
        case known(Result<[IPAddress], NameError>, begins: Bool)
        /// A result will come through ``NameCache/store(_:_:at:)``.
        ///
        /// - Parameter begins: whether the caller must start a lookup.
        case unknown(begins: Bool)
    }

    private struct Entry {
        /// Empty until a lookup has succeeded.
        var addresses: [IPAddress] = []
        var learnedAt: UInt64 = 0
        var failure: NameError?
        /// Before this instant, the last failure is returned.
        var retryAt: UInt64 = 0
        var isBeingLookedUp = false
        var askedAt: UInt64 = 0
    }

    private let limits: NameCacheLimits
    private var entries: [String: Entry] = [:]

    init(limits: NameCacheLimits) { self.limits = limits }

    /// - Parameter now: monotonic nanoseconds, as for all instants of the cache.
    mutating func ask(_ name: String, at now: UInt64) -> Answer {
        if entries[name] == nil, entries.count >= limits.names, !makeRoom() {
            return .known(.failure(NameError("too many names are being looked up")), begins: false)
        }
        var entry = entries[name] ?? Entry()
        defer { entries[name] = entry }
        entry.askedAt = now
        // Threads read the clock before they get here, so the times can be out of order.
        let age = now > entry.learnedAt ? now - entry.learnedAt : 0
        if entry.addresses.isEmpty || age >= limits.stale {
            entry.addresses = []
            if let failure = entry.failure, now < entry.retryAt { return .known(.failure(failure), begins: false) }
            defer { entry.isBeingLookedUp = true }
            return .unknown(begins: !entry.isBeingLookedUp)
        }
        let begins = age >= limits.fresh && now >= entry.retryAt && !entry.isBeingLookedUp
        if begins { entry.isBeingLookedUp = true }
        return .known(.success(entry.addresses), begins: begins)
    }

    /// Stores a lookup's result. A failure does not replace an older success.
    ///
    /// - Returns: the result for the waiting callers.
    mutating func store(
        _ name: String, _ result: Result<[IPAddress], NameError>, at now: UInt64
    ) -> Result<[IPAddress], NameError> {
        var entry = entries[name] ?? Entry()
        defer { entries[name] = entry }
        entry.isBeingLookedUp = false
        switch result {
        case .success(let addresses) where !addresses.isEmpty:
            entry.addresses = IPAddress.interleaved(addresses)
            entry.learnedAt = now
            entry.failure = nil
            entry.retryAt = 0
            return .success(entry.addresses)
        case .success: entry.failure = NameError("the name has no address")
        case .failure(let error): entry.failure = error
        }
        entry.retryAt = now + limits.failure
        guard let failure = entry.failure else { return result }
        return entry.addresses.isEmpty ? .failure(failure) : .success(entry.addresses)
    }

    /// Removes the least recently requested name that is not being looked up.
    ///
    /// - Returns: whether there was one.
    private mutating func makeRoom() -> Bool {
        let idle = entries.filter { !$0.value.isBeingLookedUp }
        guard let oldest = idle.min(by: { $0.value.askedAt < $1.value.askedAt }) else { return false }
        entries[oldest.key] = nil
        return true
    }
}

/// Lifetimes of results in nanoseconds, and their maximum number.
package struct NameCacheLimits: Sendable {
    /// Maximum age of a result that is returned without another lookup.
    package var fresh: UInt64 = 60_000_000_000
    /// Maximum age of a result that is returned while it is being refreshed, or after a refresh has failed.
    package var stale: UInt64 = 3_600_000_000_000
    /// Time for which a failed lookup is not retried.
    package var failure: UInt64 = 2_000_000_000
    /// Maximum number of names. Beyond it, the least recently requested one is removed.
    package var names = 1024

    package init() {}
}
