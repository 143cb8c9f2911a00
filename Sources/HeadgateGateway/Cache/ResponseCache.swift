internal import HeadgatePrimitives
internal import HeadgateRelay

/// Cached responses, and responses in flight to several requests; pure.
package struct ResponseCache: Sendable {
    enum Beginning {
        case hit(CachedResponse)
        /// The cache has the same reply in the other form.
        case convertible(CachedResponse)
        /// An identical request is in flight; this request is one of its readers.
        case joined(flight: Int, reader: Int)
        /// This request is the first; it reads its own flight.
        case first(flight: Int, reader: Int)
        /// Flights take all the memory: the request bypasses the cache.
        case alone
    }

    private var entries = RecencyList<CacheKey, CachedResponse>()
    /// Memory of all entries, in bytes.
    private(set) var size = 0
    /// Limit of the memory of all entries and flights, in bytes.
    private var memory = Int.max
    private var flights: [Int: CoalescedResponse] = [:]
    /// Memory of all flights, in bytes.
    private(set) var flightSize = 0
    private var flightsByKey: [CacheKey: Int] = [:]
    private var lastFlight = 0

    /// Number of entries that each request checks for expiry. All entries are checked after a sixteenth of the requests
    /// that stored them.
    private static let swept = 16

    package init() {}

    var count: Int { entries.count }

    /// - Parameters:
    ///   - other: key of the same reply in the other form.
    ///   - now: nanoseconds since 1970.
    ///   - maximumAge: in nanoseconds; nil for any age, 0 for a reply that begins now.
    ///   - limit: maximum bytes of one response.
    ///   - memory: maximum bytes of all entries and flights.
    mutating func begin(
        _ key: CacheKey, other: CacheKey? = nil, at now: Int64, maximumAge: Int64?, limit: Int, memory: Int = .max
    ) -> Beginning {
        self.memory = memory
        removeExpired(at: now)
        if let entry = entry(key, at: now, maximumAge) { return .hit(entry) }
        if let other, let entry = entry(other, at: now, maximumAge) { return .convertible(entry) }
        // A flight whose first chunks were dropped, or that has no reader left, cannot be joined.
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

    /// Changes a flight; returns nil if it is over.
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

    /// Prevents further requests from joining a flight.
    mutating func close(_ key: CacheKey, _ flight: Int) {
        if flightsByKey[key] == flight { flightsByKey[key] = nil }
    }

    /// Ends a flight, and caches its response if it is whole and no newer flight has begun for a fresh reply.
    ///
    /// - Parameters:
    ///   - ttl: lifetime of the entry, in nanoseconds.
    ///   - memory: maximum bytes of all entries and flights; 0 to cache nothing.
    /// - Returns: the readers to wake, and the response if it was cached.
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

    /// Ends a flight with a response from the store, and caches the response in memory.
    ///
    /// - Returns: the readers to wake.
    mutating func settle(
        _ flight: Int, _ response: CachedResponse, as key: CacheKey, memory: Int
    ) -> [CoalescedResponse.Wake] {
        close(key, flight)
        insert(response, as: key, memory: memory)
        return change(flight) { $0.settle(response) } ?? []
    }

    /// Inserts an entry, and drops the least recently used ones if there is no room.
    mutating func insert(_ entry: CachedResponse, as key: CacheKey, memory: Int) {
        remove(key)
        guard entry.weight <= memory else { return }
        entries.insert(entry, for: key)
        size += entry.weight
        self.memory = memory
        makeRoom(for: 0)
    }
}
