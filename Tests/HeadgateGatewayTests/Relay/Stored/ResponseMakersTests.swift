import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ResponseMakersTests {
    private func digest(_ text: String) -> KeyDigest { KeyDigest(of: text.utf8) }

    @Test func nothingIsRememberedAtFirst() {
        #expect(!ResponseMakers().isMaker(digest("a"), of: digest("resp_1")))
    }

    @Test func onlyTheCreatorIsRemembered() {
        var makers = ResponseMakers()
        makers.note(digest("resp_1"), madeBy: digest("a"), at: UpstreamMark("u"))
        #expect(makers.isMaker(digest("a"), of: digest("resp_1")))
        #expect(!makers.isMaker(digest("b"), of: digest("resp_1")))
        #expect(!makers.isMaker(digest("a"), of: digest("resp_2")))
    }

    @Test func owningUpstreamIsFoundAgain() {
        var makers = ResponseMakers()
        makers.note(digest("resp_1"), madeBy: digest("a"), at: UpstreamMark("one"))
        #expect(makers.upstream(of: digest("resp_1")) == UpstreamMark("one"))
        #expect(makers.upstream(of: digest("resp_1")) != UpstreamMark("two"))
        #expect(makers.upstream(of: digest("resp_2")) == nil)
    }

    @Test func firstCreatorStaysTheCreator() {
        var makers = ResponseMakers()
        makers.note(digest("resp_1"), madeBy: digest("a"), at: UpstreamMark("u"))
        makers.note(digest("resp_1"), madeBy: digest("b"), at: UpstreamMark("u"))
        #expect(makers.isMaker(digest("a"), of: digest("resp_1")))
        #expect(!makers.isMaker(digest("b"), of: digest("resp_1")))
    }

    @Test func exactlyTheLast65536AreRemembered() {
        var makers = ResponseMakers()
        for number in 0..<65_546 { makers.note(digest("\(number)"), madeBy: digest("a"), at: UpstreamMark("u")) }
        for number in [0, 9] { #expect(!makers.isMaker(digest("a"), of: digest("\(number)")), "\(number)") }
        for number in [10, 11, 40_000, 65_545] {
            #expect(makers.isMaker(digest("a"), of: digest("\(number)")), "\(number)")
        }
    }

    /// Compares with a list that is searched from its end: full chains, evictions within a chain, and repeated ids.
    @Test(arguments: 0..<20 as Range<UInt64>) func agreesWithAReferenceList(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var makers = ResponseMakers(capacity: 8)
        var list: [(response: Int, maker: Int)] = []
        for _ in 0..<400 {
            let (response, maker) = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<3, using: &random))
            makers.note(digest("r\(response)"), madeBy: digest("m\(maker)"), at: UpstreamMark("u"))
            if !list.contains(where: { $0.response == response }) { list.append((response, maker)) }
            if list.count > 8 { list.removeFirst() }
            for response in 0..<24 {
                for maker in 0..<3 {
                    let isListed = list.contains { $0 == (response, maker) }
                    #expect(makers.isMaker(digest("m\(maker)"), of: digest("r\(response)")) == isListed)
                }
            }
        }
    }
}
