/// A response that the gateway keeps, for an upstream that keeps none.
package struct LocalResponse: Sendable, Equatable {
    package var id: String
    /// Who made it: a digest.
    package var owner: [UInt8]
    /// The response that it continues.
    package var previous: String?
    /// The elements of the request's `input` as they were sent, without what it continues: JSON with commas between
    /// them.
    package var input: [UInt8]
    /// As the client got it.
    package var document: [UInt8]

    package init(id: String, owner: [UInt8], previous: String?, input: [UInt8], document: [UInt8]) {
        self.id = id
        self.owner = owner
        self.previous = previous
        self.input = input
        self.document = document
    }

    /// Octets.
    package var size: Int { input.count + document.count }
}

/// Keeps responses for a while. Every implementation passes `ResponseStoreContract`.
///
/// From any thread, and never waited for: completions are called once, on a thread of the store or at once. What was
/// kept before a question is asked is in its answer. Times are seconds since 1970.
package protocol ResponseStore: Sendable {
    /// Keeps a response, and all that it continues for as long. One whose id is there already is not kept. What cannot
    /// be written is lost, and counted.
    func keep(_ response: LocalResponse, until end: Int64)

    /// - Parameter owner: whose response it must be; nil for anybody's.
    func find(
        _ id: String, of owner: [UInt8]?, at now: Int64,
        completion: @escaping @Sendable (Result<LocalResponse?, ResponseStoreFailure>) -> Void)

    /// Finds a response and all that it continues.
    ///
    /// - Parameter owner: whose response it must be, whoever made those before it; nil for anybody's.
    func findChain(
        endingAt id: String, of owner: [UInt8]?, at now: Int64, within limits: ResponseChain.Limits,
        completion: @escaping @Sendable (Result<ResponseChain, ResponseStoreFailure>) -> Void)

    /// - Parameters:
    ///   - owner: whose response it must be; nil for anybody's.
    ///   - interest: nothing is done any more once it is over, and the completion is given a failure.
    ///   - completion: given whether it was there.
    func remove(
        _ id: String, of owner: [UInt8]?, at now: Int64, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<Bool, ResponseStoreFailure>) -> Void)

    var health: ResponseStoreHealth { get }
}

/// What came of a look for a response and all that it continues.
package enum ResponseChain: Sendable, Equatable {
    /// The first turn comes first.
    case found([LocalResponse])
    case unknown
    /// It is there, and one that it continues, with this id, is not any more.
    case broken(missing: String)
    case tooLong

    package struct Limits: Sendable, Equatable {
        package var turns: Int
        /// Of all turns together.
        package var octets: Int

        package init(turns: Int, octets: Int) {
            self.turns = turns
            self.octets = octets
        }
    }
}

/// The store cannot be asked. What there is to say to people it has said itself.
package struct ResponseStoreFailure: Error, Equatable, Sendable {
    package init() {}
}

package struct ResponseStoreHealth: Sendable, Equatable {
    /// Whether the last that was to be written is.
    package var isWorking: Bool
    /// Responses and turns of conversations that could not be written, since the start.
    package var lost: Int
    /// Responses and conversations that made room for others before their time, since the start.
    package var removed: Int

    package init(isWorking: Bool = true, lost: Int = 0, removed: Int = 0) {
        self.isWorking = isWorking
        self.lost = lost
        self.removed = removed
    }
}
