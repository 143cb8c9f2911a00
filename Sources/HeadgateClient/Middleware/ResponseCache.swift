internal import HTTPTypes
internal import HeadgateHTTP

/// Responses in memory, limited by size and age. The least recently used ones are evicted first. Performs no I/O.
struct ResponseCache: Sendable {
    /// Key of an entry. It contains a client's key and must never be printed.
    struct Key: Hashable, Sendable {
        let request: HTTPRequest
        let server: BaseURL
        let body: [UInt8]
    }

    struct Kept: Sendable {
        let head: HTTPResponse
        let body: [UInt8]
        let age: Duration
    }

    private struct Entry: Sendable {
        let head: HTTPResponse
        let body: [UInt8]
        let since: ContinuousClock.Instant
        var lastUse: Int
        let weight: Int
    }

    /// Approximate memory of an entry in addition to its bytes.
    static let overhead = 1024

    let maximumAge: Duration
    let maximumBytes: Int
    private(set) var hits = 0
    private(set) var misses = 0
    private(set) var weight = 0
    private var entries: [Key: Entry] = [:]
    private var uses = 0

    init(maximumAge: Duration, maximumBytes: Int) {
        self.maximumAge = maximumAge
        self.maximumBytes = maximumBytes
    }

    mutating func find(_ key: Key, at now: ContinuousClock.Instant) -> Kept? {
        guard let entry = entries[key], entry.since.duration(to: now) < maximumAge else {
            remove(key)
            misses += 1
            return nil
        }
        hits += 1
        uses += 1
        entries[key]?.lastUse = uses
        return Kept(head: entry.head, body: entry.body, age: entry.since.duration(to: now))
    }

    mutating func keep(_ head: HTTPResponse, _ body: [UInt8], for key: Key, at now: ContinuousClock.Instant) {
        let weight = body.count + key.body.count + ResponseCache.overhead
        guard weight <= maximumBytes else { return }
        remove(key)
        while self.weight + weight > maximumBytes, let oldest { remove(oldest) }
        uses += 1
        entries[key] = Entry(head: head, body: body, since: now, lastUse: uses, weight: weight)
        self.weight += weight
    }

    mutating func removeAll() {
        entries = [:]
        weight = 0
    }

    private var oldest: Key? { entries.min { $0.value.lastUse < $1.value.lastUse }?.key }

    private mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { weight -= entry.weight }
    }

    /// Returns whether a body is a complete, successful response. A stream must have its end marker, and a document
    /// must be complete and not an error.
    static func isWhole(_ body: [UInt8], of head: HTTPResponse) -> Bool {
        let type = head.headerFields.first(.contentType)?.lowercased() ?? ""
        guard type.hasPrefix("text/event-stream") else {
            return head.isJSON && DecodingFailure.fault(in: body) == nil && JSONCoding.error(in: body) == nil
        }
        // The marker must begin a line: inside a line, it is text of the model.
        let end = body.suffix(4096)
        let lines = end.split { $0 == 0x0A || $0 == 0x0D }.dropFirst(end.count < body.count ? 1 : 0)
        return lines.contains { line in ends.contains { line.starts(with: $0.utf8) } }
    }

    private static let ends = ["data: [DONE]", "event: message_stop", "event: response.completed"].flatMap { end in
        [end, end.replacing(": ", with: ":")]
    }
}
