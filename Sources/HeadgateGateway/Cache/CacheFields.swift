internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Cache header of responses, forwarded headers of requests, and heads of cached responses.
enum CacheFields {
    /// Returns the client's headers that any target receives, as names and values.
    static func forwarded(_ client: HeadFields, to route: ModelRoute) -> [String] {
        var fields: HTTPFields = [:]
        for target in route.targets { target.upstream.forwarding.apply(client, to: &fields) }
        for name in [HTTPField.Name.anthropicVersion, .anthropicBeta, .openAIBeta] {
            fields[name] = nil
            for field in client.all(named: name) { fields.append(field) }
        }
        return fields.sorted { ($0.name.canonicalName, $0.value) < ($1.name.canonicalName, $1.value) }
            .flatMap { [$0.name.canonicalName, $0.value] }
    }

    static func marked(_ response: ServerResponse, _ result: CacheResult, _ next: RelayNext) -> ServerResponse {
        guard next.hasResponseFields else { return response }
        var marked = response
        marked.head = RelayFields.head(response.head, passing: [.xHeadgateCache: result.rawValue])
        return marked
    }

    /// Returns a response from the cache.
    ///
    /// - Throws: `BodyMemory.Exhausted`.
    static func response(
        from entry: CachedResponse, hidingUsage hidesUsage: Bool, _ policy: CachePolicy, _ next: RelayNext,
        _ metadata: ServerRequestMetadata
    ) throws -> ServerResponse {
        let age = max(0, next.realtime - entry.storedAt) / 1_000_000_000
        let isPaced = policy.isPaced && !entry.head.isDocument
        return again(entry.head, age: age, try body(entry, hidesUsage, isPaced: isPaced, next, metadata), next)
    }

    /// Returns the body. Readers share a large one. A large body without its usage is filtered and sent in slices.
    private static func body(
        _ entry: CachedResponse, _ hidesUsage: Bool, isPaced: Bool, _ next: RelayNext,
        _ metadata: ServerRequestMetadata
    ) throws -> HTTPBody {
        let chunks = entry.chunks
        if isPaced || hidesUsage && entry.size > largestCopy {
            var allowance: BodyAllowance?
            if entry.size > largestCopy {
                // The cache can drop the entry while its readers still hold it.
                let granted = next.allowance()
                guard granted.grow(to: entry.size) else { throw BodyMemory.Exhausted() }
                allowance = granted
            }
            return .stream(paced(chunks, hidesUsage, allowance, metadata))
        }
        if chunks.count == 1, !hidesUsage { return .bytes(chunks[0].bytes) }
        return .bytes((hidesUsage ? entry.withoutUsage : entry).chunks.flatMap(\.bytes))
    }

    /// Returns a body at the original pace. Without its usage the body is sent in slices, because readers cannot share
    /// it.
    ///
    /// - Parameter allowance: memory for the chunks, held until the reader has all of them.
    private static func paced(
        _ chunks: [CoalescedResponse.Chunk], _ hidesUsage: Bool, _ allowance: BodyAllowance?,
        _ metadata: ServerRequestMetadata
    ) -> PacedBody {
        // Index of the next chunk, and the number of its bytes that were sent.
        var (index, position) = (0, 0)
        let clock = PacedBody.Clock(now: { metadata.record.now }, after: { metadata.after($0, $1) })
        return PacedBody(clock) {
            withExtendedLifetime(allowance) {}
            guard index < chunks.count else { return PacedBody.Part(offset: 0, content: .end(.success(.complete))) }
            let chunk = chunks[index]
            var bytes = chunk.bytes
            if hidesUsage {
                let slice = slice(of: bytes, from: position)
                position = slice.upperBound
                bytes = bytes.withUnsafeBytes { UsageFilter.filtered(UnsafeRawBufferPointer(rebasing: $0[slice])) }
            }
            if !hidesUsage || position == chunk.bytes.count { (index, position) = (index + 1, 0) }
            return PacedBody.Part(offset: chunk.offset, content: .bytes(bytes))
        }
    }

    /// Returns the next whole events of a chunk.
    private static func slice(of chunk: [UInt8], from start: Int) -> Range<Int> {
        var end = min(start + largestCopy, chunk.count)
        while end < chunk.count, chunk[end - 1] != 0x0A || chunk[end - 2] != 0x0A { end += 1 }
        return start..<end
    }

    /// Largest response that is copied for one reader, in bytes.
    private static let largestCopy = 64 << 10

    private static let stale: Set<HTTPField.Name> = [.retryAfter, .xHeadgateAttempts, .xHeadgateDegraded]

    /// Returns a response that another request has received, as a cache hit.
    static func again(_ head: CachedHead, age: Int64, _ body: HTTPBody, _ next: RelayNext) -> ServerResponse {
        var response = head.response.response
        // The remaining limits concern only the other request.
        let names = response.headerFields.map(\.name)
        for name in names where stale.contains(name) || name.canonicalName.contains("ratelimit") {
            response.headerFields[name] = nil
        }
        response.headerFields[.age] = "\(age)"
        if next.hasResponseFields { response.headerFields[.xHeadgateCache] = CacheResult.hit.rawValue }
        var again = ServerResponse(response, body)
        again.hasRequestID = head.hasRequestID
        return again
    }
}

/// Cache directives of a request that the gateway honors (RFC 9111 section 5.2.1).
struct CacheControl: Equatable {
    /// `no-store`: the cache is neither read nor written.
    var isOff = false
    /// `no-cache`: the cache is not read.
    var isFresh = false
    /// `max-age`, in seconds, at most 2^31.
    var maximumAge: Int?

    init(_ field: String?) {
        for part in (field ?? "").split(separator: ",") {
            let directive = part.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            if directive == "no-store" { isOff = true }
            if directive == "no-cache" { isFresh = true }
            if directive.hasPrefix("max-age=") {
                // A value that is not a number counts as 0: a client that wanted a limit gets the strictest.
                maximumAge = Int(directive.dropFirst("max-age=".count)).map { min(max($0, 0), 1 << 31) } ?? 0
            }
        }
    }
}
