internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Cache header of responses, forwarded headers of requests, and heads of cached responses.
enum CacheFields {
    /// Returns the client's headers that any target receives, as names and values.
    static func forwarded(_ client: HeadFields, to route: ModelRoute) -> [String] {
        var fields: HTTPFields = [:]
        for target in route.targets { target.upstream.forwarding.apply(client, to: &fields) }
        for name in [HTTPField.Name.anthropicVersion, .anthropicBeta] {
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

    /// Returns the body. Readers share a large one; a reader that does not get the usage takes it in slices.
    private static func body(
        _ entry: CachedResponse, _ hidesUsage: Bool, isPaced: Bool, _ next: RelayNext,
        _ metadata: ServerRequestMetadata
    ) throws -> HTTPBody {
        let chunks = entry.chunks
        if isPaced || hidesUsage && entry.size > largestCopy {
            let body = PacedBody(chunks, hidesUsage: hidesUsage, metadata)
            if entry.size > largestCopy {
                // The cache can drop it while its readers still hold it.
                let allowance = next.allowance()
                guard allowance.grow(to: entry.size) else { throw BodyMemory.Exhausted() }
                body.allowance = allowance
            }
            return .stream(body)
        }
        if chunks.count == 1, !hidesUsage { return .bytes(chunks[0].bytes) }
        return .bytes((hidesUsage ? entry.withoutUsage : entry).chunks.flatMap(\.bytes))
    }

    /// Largest response that is copied for one reader, in bytes.
    private static let largestCopy = 64 << 10

    private static let stale: Set<HTTPField.Name> = [.retryAfter, .xHeadgateAttempts, .xHeadgateDegraded]

    /// Returns a response that another request received before.
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
