/// Keeps responses of the cache beyond the process. From any thread, and never waited for.
package protocol CachedResponseStore: AnyObject, Sendable {
    /// Looks for a response under the first of these keys that has one.
    ///
    /// - Parameters:
    ///   - now: nanoseconds since 1970.
    ///   - maximumAge: in nanoseconds; nil for any.
    ///   - completion: called once, on a thread of the store or at once; given nil too where it cannot be read.
    func find(
        _ keys: [CacheKey], at now: Int64, maximumAge: Int64?,
        completion: @escaping @Sendable (FoundResponse?) -> Void)

    /// Keeps it in place of what is there. What cannot be written is lost.
    func keep(_ response: CachedResponse, as key: CacheKey)

    /// Whether it is of several gateways, where callers without a key are not told apart.
    var isOfSeveralGateways: Bool { get }

    /// Bytes of memory that its index takes, which belong to those of the cache.
    var indexSize: Int { get }

    /// Nil for a store that tells nothing of itself.
    var health: CachedResponseStoreHealth? { get }
}

extension CachedResponseStore {
    package var isOfSeveralGateways: Bool { false }
    package var health: CachedResponseStoreHealth? { nil }
    package var indexSize: Int { 0 }
}

/// How a store fares.
package struct CachedResponseStoreHealth: Sendable, Equatable {
    package var isWorking: Bool
    /// Entries that were found and are no responses of ours.
    package var damaged: Int
    /// Responses that could not be kept.
    package var lost: Int

    package init(isWorking: Bool, damaged: Int = 0, lost: Int = 0) {
        self.isWorking = isWorking
        self.damaged = damaged
        self.lost = lost
    }
}

/// What a store has found.
package struct FoundResponse: Sendable {
    package let response: CachedResponse
    package let key: CacheKey

    package init(_ response: CachedResponse, _ key: CacheKey) {
        self.response = response
        self.key = key
    }
}
