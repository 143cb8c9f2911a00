import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

/// Replies that our scripts never send.
@Suite struct RedisStreamWireTests {
    private static let question = StreamQuestion(after: 0, octets: 1, joins: false)

    private func reply(_ last: Int, _ dropped: Int) -> RedisReply {
        .list([.integer(last), .integer(dropped), .bytes([]), .integer(1), .list([]), .list([])])
    }

    @Test func positionsOfAStreamAreParsed() {
        let answer = RedisStreamWire.answer(reply(3, 2), to: Self.question)
        #expect(answer?.last == 3 && answer?.dropped == 2)
    }

    @Test(arguments: [(-1, 0), (-1, -1), (1, 2), (1, -1), (Int.max, Int.max), (Int.max, 0), (Int.min, 0)])
    func positionsOfAMissingStreamAreNotAResult(_ last: Int, _ dropped: Int) {
        #expect(RedisStreamWire.answer(reply(last, dropped), to: Self.question) == nil)
    }
}
