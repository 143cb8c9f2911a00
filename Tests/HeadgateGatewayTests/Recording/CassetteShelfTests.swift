import HeadgateCassettes
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Recordings that can be replayed.
@Suite struct CassetteShelfTests {
    private func file(_ number: Int, body: String, answer: Int = 10) -> CassetteFile {
        CassetteFile(
            name: "\(number).cassette",
            cassette: Cassette(
                route: "/chat/completions",
                request: Cassette.Request(
                    method: "POST", path: "/v1/chat/completions", body: .bytes(Array(body.utf8))),
                response: Cassette.Response(
                    status: 200, chunks: [.init(milliseconds: 0, .bytes(Array(repeating: 1, count: answer)))]),
                end: Cassette.End(.complete)))
    }

    private func miss(_ shelf: CassetteShelf, _ body: String) -> String {
        let identity = RequestIdentity(method: "POST", route: "/chat/completions", body: Array(body.utf8))
        var miss = CassetteMiss(identity, CassetteShelf.digest(of: identity), [])
        miss.compared = shelf.comparable(with: identity)
        return miss.text
    }

    @Test func missIsComparedWithTheLatestOfItsRoute() {
        let files = (0..<1_000).map { file($0, body: #"{"a":\#($0),"b":1}"#) }
        let shelf = CassetteShelf(files)
        let identity = RequestIdentity(method: "POST", route: "/chat/completions", body: nil)
        #expect(shelf.comparable(with: identity).map(\.name) == files.suffix(64).map(\.name))
        #expect(miss(shelf, #"{"a":1000,"b":1}"#).contains("the nearest is 936.cassette, which differs in a"))
        #expect(shelf.comparable(with: RequestIdentity(method: "GET", route: "/x", body: nil)).isEmpty)
    }

    @Test func missComparisonIsBounded() {
        let long = #"{"a":"\#(String(repeating: "x", count: 1 << 20))"}"#
        #expect(miss(CassetteShelf([file(0, body: long)]), "{}").contains("too long to compare"))
        let both = CassetteShelf([file(0, body: long), file(1, body: #"{"b":1}"#)])
        #expect(miss(both, "{}").contains("the nearest is 1.cassette, which differs in b"))
    }

    @Test func recordingsHaveABoundInMemory() throws {
        var shelf = CassetteShelf()
        let limit = 20_000
        var added = 0
        for number in 0..<100 where shelf.add(file(number, body: "{}", answer: 1_000), under: "\(number)", limit: limit)
        {
            added += 1
        }
        #expect(added == 3 && shelf.take("2") != nil && shelf.take("50") == nil)
    }
}
