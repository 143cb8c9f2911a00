internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Head of a response in the cache.
struct CachedHead: Sendable {
    let response: ServerResponseHead
    let hasRequestID: Bool
    /// Whether the body is one document.
    let isDocument: Bool
}

/// Whole response in the cache.
package struct CachedResponse: Sendable {
    let head: CachedHead
    let chunks: [CoalescedResponse.Chunk]
    /// Size of the body, in bytes.
    package let size: Int
    /// Nanoseconds since 1970.
    let storedAt: Int64
    let expiresAt: Int64

    init(head: CachedHead, chunks: [CoalescedResponse.Chunk], storedAt: Int64, expiresAt: Int64) {
        self.head = head
        self.chunks = chunks
        size = chunks.reduce(0) { $0 + $1.bytes.count }
        self.storedAt = storedAt
        self.expiresAt = expiresAt
    }

    /// - Parameter maximumAge: in nanoseconds; nil for any.
    package func isFresh(at now: Int64, maximumAge: Int64?) -> Bool {
        // A time in the future comes from another gateway's clock.
        storedAt <= now && expiresAt > now && maximumAge.map { now - storedAt < $0 } ?? true
    }

    /// Milliseconds for which the response can still be served, from 1 up to a day; nil if it has expired.
    package func lifetime(at now: Int64) -> Int? {
        expiresAt > now ? Int(min(max((expiresAt - now) / 1_000_000, 1), 86_400_000)) : nil
    }

    /// Memory that the cached response takes, in bytes; an upper estimate.
    var weight: Int { 1024 + size + chunks.count * CoalescedResponse.Chunk.overhead }

    /// Response in one chunk, without the arrival times of its parts.
    var joined: CachedResponse {
        guard chunks.count > 1 else { return self }
        let whole = CoalescedResponse.Chunk(bytes: chunks.flatMap(\.bytes), offset: 0)
        return CachedResponse(head: head, chunks: [whole], storedAt: storedAt, expiresAt: expiresAt)
    }

    /// Stream for a client that did not request its usage.
    var withoutUsage: CachedResponse {
        let chunks = chunks.compactMap { chunk in
            let bytes = chunk.bytes.withUnsafeBytes(UsageFilter.filtered)
            return bytes.isEmpty ? nil : CoalescedResponse.Chunk(bytes: bytes, offset: chunk.offset)
        }
        return CachedResponse(head: head, chunks: chunks, storedAt: storedAt, expiresAt: expiresAt)
    }
}
