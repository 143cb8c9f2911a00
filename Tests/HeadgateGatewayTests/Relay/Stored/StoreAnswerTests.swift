import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway

@Suite struct StoreAnswerTests {
    private let metadata = InProcessMetadata(
        connection: ConnectionEnds(
            localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9", admission: .byKey),
        bodyLength: .fixed(0), context: RequestRecord(clock: { 0 }))

    @Test func aStoreThatDoesNotAnswerInTimeIsGivenUp() {
        var results: [Result<Int, any Error>] = []
        var late: (@Sendable (Result<Int, ResponseStoreFailure>) -> Void)?
        PendingCall().ask(metadata, orFail: .conversationsUnavailable, within: .zero) {
            late = $0
        } then: { (result: Result<Int, any Error>) in
            results.append(result)
        }
        late?(.success(1))
        #expect(results.count == 1)
        #expect(throws: GatewayError.self) { try results[0].get() }
    }
}
