internal import HeadgateClient
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// The body of a response. Releasing it closes the connection.
final class URLSessionBody: PulledBody {
    private let exchange: URLSessionExchange
    private let isGivenUp = Locked(false)

    init(_ exchange: URLSessionExchange) { self.exchange = exchange }

    // This has no effect on a task that has ended.
    deinit { if !isGivenUp.withLock({ $0 }) { exchange.cancel() } }

    func next() async throws -> [UInt8]? { try await exchange.next() }

    func cancel() { exchange.cancel() }

    func discardRest() {
        isGivenUp.withLock { $0 = true }
        exchange.discardRest()
    }
}
