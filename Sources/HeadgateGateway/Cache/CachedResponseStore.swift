internal import HeadgateRelay

/// Store of cached responses that outlives the process. Called from any thread; no call blocks.
package protocol CachedResponseStore: AnyObject, Sendable {
    /// Finds a response under the first of the keys that has one.
    ///
    /// - Parameters:
    ///   - now: nanoseconds since 1970.
    ///   - maximumAge: in nanoseconds; nil for any.
    ///   - completion: called once, on a thread of the store or before this returns. Receives nil also if the store
    ///     cannot be read.
    func find(
        _ keys: [CacheKey], at now: Int64, maximumAge: Int64?,
        completion: @escaping @Sendable (FoundResponse?) -> Void)

    /// Stores a response, replacing an earlier one. A response that cannot be written is lost.
    func keep(_ response: CachedResponse, as key: CacheKey)

    /// Whether several gateways share the store. They cannot tell callers without a key apart.
    var isOfSeveralGateways: Bool { get }

    /// Memory that the store's index takes, in bytes; it counts towards the memory of the cache.
    var indexSize: Int { get }

    /// Health of the store; nil if it does not report any.
    var health: CachedResponseStoreHealth? { get }
}

extension CachedResponseStore {
    package var isOfSeveralGateways: Bool { false }
    package var health: CachedResponseStoreHealth? { nil }
    package var indexSize: Int { 0 }
}

/// Health of a store.
package struct CachedResponseStoreHealth: Sendable, Equatable {
    package var isWorking: Bool
    /// Number of entries that were found but are not valid responses.
    package var damaged: Int
    /// Number of responses that could not be stored.
    package var lost: Int

    package init(isWorking: Bool, damaged: Int = 0, lost: Int = 0) {
        self.isWorking = isWorking
        self.damaged = damaged
        self.lost = lost
    }
}

/// Response that a store has found.
package struct FoundResponse: Sendable {
    package let response: CachedResponse
    package let key: CacheKey

    package init(_ response: CachedResponse, _ key: CacheKey) {
        self.response = response
        self.key = key
    }
}
