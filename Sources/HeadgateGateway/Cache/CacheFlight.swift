internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Context of one response in flight, for its writer and its readers.
struct CacheFlight {
    let key: CacheKey
    /// Key of the same reply in the other form; nil if replies of the operation cannot be converted.
    let other: CacheKey?
    let form: CacheForm
    let policy: CachePolicy
    let cache: Locked<ResponseCache>
    /// Store of responses in addition to memory; nil if there is none.
    let store: (any CachedResponseStore)?
    /// Maximum age of a cached response, in nanoseconds.
    let maximumAge: Int64
    /// Whether the stream contains usage that the client did not request.
    let hidesUsage: Bool
    let next: RelayNext

    /// Memory for all responses, in bytes, without the index of the store.
    var memory: Int { max(0, policy.memory - (store?.indexSize ?? 0)) }

    /// Changes the response; returns nil if it is over.
    func change<Value>(_ number: Int, _ change: (inout CoalescedResponse) -> Value) -> Value? {
        cache.withLock { $0.change(number, change) }
    }

    /// Returns a cached response for this request, or a failure if there is no memory for it.
    func response(
        from entry: CachedResponse, _ metadata: ServerRequestMetadata
    ) -> Result<ServerResponse, any Error> {
        Result { try CacheFields.response(from: entry, hidingUsage: hidesUsage, policy, next, metadata) }
    }
}
