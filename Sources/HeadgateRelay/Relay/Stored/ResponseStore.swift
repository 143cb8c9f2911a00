/// Response that the gateway stores for an upstream that stores none.
package struct LocalResponse: Sendable, Equatable {
    package var id: String
    /// Digest that identifies the creator.
    package var owner: [UInt8]
    /// Id of the response that this one continues.
    package var previous: String?
    /// Elements of the request's `input` as they were sent, without the history: JSON values separated by commas.
    package var input: [UInt8]
    /// Response as the client received it.
    package var document: [UInt8]

    package init(id: String, owner: [UInt8], previous: String?, input: [UInt8], document: [UInt8]) {
        self.id = id
        self.owner = owner
        self.previous = previous
        self.input = input
        self.document = document
    }

    /// Size in bytes.
    package var size: Int { input.count + document.count }
}

/// Store of responses with a limited lifetime. Every implementation passes `ResponseStoreContract`.
///
/// It can be called from any thread and never blocks the caller. Completions are called once, on a thread of the store
/// or before the call returns. An answer includes every response that was stored before its question. Times are in
/// seconds since 1970.
package protocol ResponseStore: Sendable {
    /// Stores a response and extends the lifetime of all responses that it continues to the same end.
    ///
    /// A response whose id is already in use is not stored. A response that cannot be written is lost and counted.
    func keep(_ response: LocalResponse, until end: Int64)

    /// Finds a response.
    ///
    /// - Parameter owner: required owner of the response; nil for any owner.
    func find(
        _ id: String, of owner: [UInt8]?, at now: Int64,
        completion: @escaping @Sendable (Result<LocalResponse?, ResponseStoreFailure>) -> Void)

    /// Finds a response and all responses that it continues.
    ///
    /// - Parameter owner: required owner of the response, regardless of the owners of earlier ones; nil for any owner.
    func findChain(
        endingAt id: String, of owner: [UInt8]?, at now: Int64, within limits: ResponseChain.Limits,
        completion: @escaping @Sendable (Result<ResponseChain, ResponseStoreFailure>) -> Void)

    /// Removes a response.
    ///
    /// - Parameters:
    ///   - owner: required owner of the response; nil for any owner.
    ///   - interest: if it is over, the store does nothing and completes with a failure.
    ///   - completion: receives whether the response existed.
    func remove(
        _ id: String, of owner: [UInt8]?, at now: Int64, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<Bool, ResponseStoreFailure>) -> Void)

    var health: ResponseStoreHealth { get }
}

/// Result of a search for a response and all responses that it continues.
package enum ResponseChain: Sendable, Equatable {
    /// Turns of the chain, oldest first.
    case found([LocalResponse])
    case unknown
    /// The response exists, but one that it continues, with this id, no longer does.
    case broken(missing: String)
    case tooLong

    package struct Limits: Sendable, Equatable {
        package var turns: Int
        /// Maximum bytes of all turns together.
        package var octets: Int

        package init(turns: Int, octets: Int) {
            self.turns = turns
            self.octets = octets
        }
    }
}

/// Failure of a store to answer. The store itself has already reported the reason.
package struct ResponseStoreFailure: Error, Equatable, Sendable {
    package init() {}
}

package struct ResponseStoreHealth: Sendable, Equatable {
    /// Whether the last write succeeded.
    package var isWorking: Bool
    /// Number of responses and conversation turns that could not be written since the start.
    package var lost: Int
    /// Number of responses and conversations removed early since the start, to make room for others.
    package var removed: Int

    package init(isWorking: Bool = true, lost: Int = 0, removed: Int = 0) {
        self.isWorking = isWorking
        self.lost = lost
        self.removed = removed
    }
}
