import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct StoreAnswerTests {
    private let metadata = InProcessMetadata(
        connection: ConnectionEnds(
            localAddress: "127.0.0.1", localPort: 8686, remoteAddress: "127.0.0.9", admission: .byKey),
        bodyLength: .fixed(0), context: RequestRecord(clock: { 0 }))

    @Test func aSlowStoreTimesOut() {
        var results: [Result<Int, any Error>] = []
        var interest: StoreInterest?
        var late: (@Sendable (Result<Int, ResponseStoreFailure>) -> Void)?
        PendingCall().ask(metadata, orFail: .conversationsUnavailable, within: .zero) {
            interest = $0
            late = $1
        } then: { (result: Result<Int, any Error>) in
            results.append(result)
        }
        #expect(interest?.isOver == true)
        late?(.success(1))
        #expect(results.count == 1)
        #expect(throws: GatewayError.self) { try results[0].get() }
    }

    @Test func aStoreIsNotifiedOfDepartures() {
        let call = PendingCall()
        var interest: StoreInterest?
        call.ask(metadata, orFail: .conversationsUnavailable) {
            interest = $0
            _ = $1
        } then: { (_: Result<Int, any Error>) in
        }
        #expect(interest?.isOver == false)
        call.cancel()
        #expect(interest?.isOver == true)
    }
}
