internal import HeadgateHTTP

/// The head of a response, as it is given to whoever gets the response again.
struct CachedHead: Sendable {
    let response: ServerResponseHead
    let hasRequestID: Bool
    /// Whether the body is one document.
    let isDocument: Bool
}

/// A whole response that is kept.
struct CachedResponse: Sendable {
    let head: CachedHead
    let chunks: [SharedResponse.Chunk]
    /// Octets.
    let size: Int
    /// Nanoseconds since 1970.
    let storedAt: Int64
    let expiresAt: Int64
}

/// Responses that are kept, and those on their way to several requests; pure.
package struct ResponseCache: Sendable {
    /// Runs one change at a time.
    package typealias Guarded = @Sendable (_ body: (inout ResponseCache) -> Void) -> Void

    enum Beginning {
        case hit(CachedResponse)
        /// An identical request is in flight, of which this is a reader.
        case joined(flight: Int, reader: Int)
        /// This request is the first; it reads what it writes.
        case first(flight: Int, reader: Int)
    }

    private var entries = RecencyList<CacheKey, CachedResponse>()
    /// Octets of all entries, with what keeping them takes.
    private(set) var size = 0
    private var flights: [Int: SharedResponse] = [:]
    private var flightsByKey: [CacheKey: Int] = [:]
    private var lastFlight = 0

    /// Octets that an entry takes besides its chunks, generously.
    private static let overhead = 1024

    package init() {}

    var count: Int { entries.count }

    /// - Parameters:
    ///   - now: nanoseconds since 1970.
    ///   - maximumAge: in nanoseconds, of what is kept; nil for any.
    ///   - limit: octets of one response.
    mutating func begin(_ key: CacheKey, at now: Int64, maximumAge: Int64?, limit: Int) -> Beginning {
        if let entry = entry(key, at: now), maximumAge.map({ now - entry.storedAt < $0 }) ?? true {
            entries.touch(key)
            return .hit(entry)
        }
        // One whose beginning is gone, or that nobody reads any more, is over for whoever comes now.
        if let flight = flightsByKey[key], flights[flight]?.canBeJoined == true, let reader = flights[flight]?.join() {
            return .joined(flight: flight, reader: reader)
        }
        lastFlight += 1
        var shared = SharedResponse(limit: limit)
        let reader = shared.join()
        flights[lastFlight] = shared
        flightsByKey[key] = lastFlight
        return .first(flight: lastFlight, reader: reader)
    }

    private mutating func entry(_ key: CacheKey, at now: Int64) -> CachedResponse? {
        guard let entry = entries.value(of: key) else { return nil }
        guard entry.expiresAt > now else {
            remove(key)
            return nil
        }
        return entry
    }

    private mutating func remove(_ key: CacheKey) {
        guard let removed = entries.remove(key) else { return }
        size -= removed.size + ResponseCache.overhead
    }

    /// A change of one that is in flight; nil for one that is over.
    mutating func change<Value>(_ flight: Int, _ change: (inout SharedResponse) -> Value) -> Value? {
        guard var shared = flights.removeValue(forKey: flight) else { return nil }
        defer { if !shared.isOver { flights[flight] = shared } }
        return change(&shared)
    }

    /// No further request joins it.
    mutating func close(_ key: CacheKey, _ flight: Int) {
        if flightsByKey[key] == flight { flightsByKey[key] = nil }
    }

    /// Ends a flight, and keeps it if it is whole.
    ///
    /// - Parameters:
    ///   - ttl: nanoseconds that it is kept for.
    ///   - memory: octets of all entries.
    /// - Returns: whom to wake.
    mutating func finish(
        _ flight: Int, _ end: SharedResponse.End, as key: CacheKey, at now: Int64, ttl: Int64, memory: Int
    ) -> [SharedResponse.Wake] {
        close(key, flight)
        if let shared = flights[flight], let head = shared.head, shared.isWhole, case .complete = end {
            let entry = CachedResponse(
                head: head, chunks: shared.chunks, size: shared.size, storedAt: now, expiresAt: now + ttl)
            insert(entry, as: key, memory: memory)
        }
        return change(flight) { $0.finish(end) } ?? []
    }

    /// Drops the entries that were not used for longest, as far as there is no room.
    mutating func insert(_ entry: CachedResponse, as key: CacheKey, memory: Int) {
        remove(key)
        guard entry.size + ResponseCache.overhead <= memory else { return }
        entries.insert(entry, for: key)
        size += entry.size + ResponseCache.overhead
        while size > memory, let oldest = entries.removeOldest() { size -= oldest.size + ResponseCache.overhead }
    }
}
