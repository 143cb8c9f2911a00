internal import HeadgateHTTP
internal import HeadgatePrimitives

/// One response on its way, as its writer and its readers see it.
struct CacheFlight {
    let key: CacheKey
    /// The key of the same answer in the other form; nil where it is not made into this one.
    let other: CacheKey?
    let form: CacheForm
    let policy: CachePolicy
    let cache: Locked<ResponseCache>
    /// Where responses are kept besides the memory; nil for nowhere.
    let store: (any CachedResponseStore)?
    /// In nanoseconds, of what is kept.
    let maximumAge: Int64
    /// Whether the client has not asked for the usage that is in the stream.
    let hidesUsage: Bool
    let next: RelayNext

    /// Bytes of memory for all responses.
    var memory: Int { max(0, policy.memory - (store?.indexSize ?? 0)) }

    /// A change of the response; nil when it is over.
    func change<Value>(_ number: Int, _ change: (inout CoalescedResponse) -> Value) -> Value? {
        cache.withLock { $0.change(number, change) }
    }

    /// A response that is kept, for this request; a failure if there is no memory for it.
    func response(
        from entry: CachedResponse, _ metadata: ServerRequestMetadata
    ) -> Result<ServerResponse, any Error> {
        Result { try CacheFields.response(from: entry, hidingUsage: hidesUsage, policy, next, metadata) }
    }
}
