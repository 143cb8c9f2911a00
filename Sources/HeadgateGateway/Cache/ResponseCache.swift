internal import HeadgatePrimitives

/// Responses that are kept, and those on their way to several requests; pure.
package struct ResponseCache: Sendable {
    enum Beginning {
        case hit(CachedResponse)
        /// The same answer in the other form.
        case convertible(CachedResponse)
        /// An identical request is in flight, of which this is a reader.
        case joined(flight: Int, reader: Int)
        /// This request is the first; it reads what it writes.
        case first(flight: Int, reader: Int)
        /// What is in flight takes all the memory: the request goes by itself.
        case alone
    }

    private var entries = RecencyList<CacheKey, CachedResponse>()
    /// Octets of all entries, with what keeping them takes.
    private(set) var size = 0
    /// Octets of all entries and of all that is in flight.
    private var memory = Int.max
    private var flights: [Int: CoalescedResponse] = [:]
    /// Octets of those, with what keeping them takes.
    private(set) var flightSize = 0
    private var flightsByKey: [CacheKey: Int] = [:]
    private var lastFlight = 0

    /// Entries that each request looks at, to remove those that have expired: all of them are removed after a sixteenth
    /// of the requests that stored them.
    private static let swept = 16

    package init() {}

    var count: Int { entries.count }

    /// - Parameters:
    ///   - other: the key of the same answer in another form.
    ///   - now: nanoseconds since 1970.
    ///   - maximumAge: in nanoseconds, of what is kept; nil for any, and 0 for an answer that begins now.
    ///   - limit: octets of one response.
    ///   - memory: octets of all entries and of all that is in flight.
    mutating func begin(
        _ key: CacheKey, other: CacheKey? = nil, at now: Int64, maximumAge: Int64?, limit: Int, memory: Int = .max
    ) -> Beginning {
        self.memory = memory
        removeExpired(at: now)
        if let entry = entry(key, at: now, maximumAge) { return .hit(entry) }
        if let other, let entry = entry(other, at: now, maximumAge) { return .convertible(entry) }
        // One whose beginning is gone, or that nobody reads any more, is over for whoever comes now.
        let age = maximumAge ?? .max
        if let flight = flightsByKey[key], flights[flight]?.canBeJoined(within: age) == true,
            let reader = flights[flight]?.join()
        {
            return .joined(flight: flight, reader: reader)
        }
        guard flightSize <= memory else { return .alone }
        lastFlight += 1
        var shared = CoalescedResponse(limit: limit, maximumAge: age)
        let reader = shared.join()
        flights[lastFlight] = shared
        flightsByKey[key] = lastFlight
        return .first(flight: lastFlight, reader: reader)
    }

    private mutating func removeExpired(at now: Int64) {
        for _ in 0..<min(ResponseCache.swept, entries.count) {
            if let (key, entry) = entries.nextInRound(), entry.expiresAt <= now { remove(key) }
        }
    }

    private mutating func entry(_ key: CacheKey, at now: Int64, _ maximumAge: Int64?) -> CachedResponse? {
        guard let entry = entries.value(of: key) else { return nil }
        guard entry.expiresAt > now else {
            remove(key)
            return nil
        }
        guard entry.isFresh(at: now, maximumAge: maximumAge) else { return nil }
        entries.touch(key)
        return entry
    }

    private mutating func remove(_ key: CacheKey) {
        guard let removed = entries.remove(key) else { return }
        size -= removed.weight
    }

    /// A change of one that is in flight; nil for one that is over.
    mutating func change<Value>(_ flight: Int, _ change: (inout CoalescedResponse) -> Value) -> Value? {
        guard var shared = flights.removeValue(forKey: flight) else { return nil }
        flightSize -= shared.weight
        let value = change(&shared)
        guard !shared.isOver else { return value }
        makeRoom(for: shared.weight)
        if size + flightSize + shared.weight > memory { shared.giveWay() }
        flightSize += shared.weight
        flights[flight] = shared
        return value
    }

    private mutating func makeRoom(for octets: Int) {
        while size + flightSize + octets > memory, let oldest = entries.removeOldest() {
            size -= oldest.weight
        }
    }

    /// No further request joins it.
    mutating func close(_ key: CacheKey, _ flight: Int) {
        if flightsByKey[key] == flight { flightsByKey[key] = nil }
    }

    /// Ends a flight, and keeps it if it is whole, and none has begun since for whoever wanted a fresh answer.
    ///
    /// - Parameters:
    ///   - ttl: nanoseconds that it is kept for.
    ///   - memory: octets of all entries; 0 to keep nothing.
    /// - Returns: whom to wake, and what is kept of it.
    mutating func finish(
        _ flight: Int, _ end: CoalescedResponse.End, as key: CacheKey, at now: Int64, ttl: Int64, memory: Int
    ) -> (wakes: [CoalescedResponse.Wake], kept: CachedResponse?) {
        let isLatest = flightsByKey[key] == flight
        close(key, flight)
        var kept: CachedResponse?
        if memory > 0, isLatest, let shared = flights[flight], let head = shared.head, shared.isWhole,
            case .complete = end
        {
            kept = CachedResponse(head: head, chunks: shared.chunks, storedAt: now, expiresAt: now + ttl)
        }
        let wakes = change(flight) { $0.finish(end) } ?? []
        if let kept { insert(kept, as: key, memory: memory) }
        return (wakes, kept)
    }

    /// Ends a flight with a response that was kept elsewhere, and keeps it here.
    ///
    /// - Returns: whom to wake.
    mutating func settle(
        _ flight: Int, _ response: CachedResponse, as key: CacheKey, memory: Int
    ) -> [CoalescedResponse.Wake] {
        close(key, flight)
        insert(response, as: key, memory: memory)
        return change(flight) { $0.settle(response) } ?? []
    }

    /// Drops the entries that were not used for longest, as far as there is no room.
    mutating func insert(_ entry: CachedResponse, as key: CacheKey, memory: Int) {
        remove(key)
        guard entry.weight <= memory else { return }
        entries.insert(entry, for: key)
        size += entry.weight
        self.memory = memory
        makeRoom(for: 0)
    }
}
