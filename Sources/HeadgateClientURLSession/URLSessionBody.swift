internal import HeadgateClient
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// The body of a response. Dropping it closes the connection.
final class URLSessionBody: PulledBody {
    private let exchange: URLSessionExchange
    private let isGivenUp = Locked(false)

    init(_ exchange: URLSessionExchange) { self.exchange = exchange }

    // A task that has ended is not touched by this.
    deinit { if !isGivenUp.withLock({ $0 }) { exchange.cancel() } }

    func next() async throws -> [UInt8]? { try await exchange.next() }

    func cancel() { exchange.cancel() }

    func discardRest() {
        isGivenUp.withLock { $0 = true }
        exchange.discardRest()
    }
}
