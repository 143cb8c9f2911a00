import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// JSON documents that are split into several events.
@Suite struct SplitDocumentTests {
    /// Returns the document split into this many events.
    private func events(_ document: String, pieces: Int) -> String {
        let bytes = Array(document.utf8)
        let size = (bytes.count + pieces - 1) / pieces
        return stride(from: 0, to: bytes.count, by: size).map { start in
            "data:" + String(decoding: bytes[start..<min(start + size, bytes.count)], as: UTF8.self) + "\n\n"
        }.joined()
    }

    @Test func documentIsJoinedWhereverItWasCut() {
        let document = Chunk.content("hello")
        for cut in 1..<document.utf8.count {
            let bytes = Array(document.utf8)
            let stream =
                Array("data:".utf8) + bytes[..<cut] + Array("\n\ndata:".utf8) + bytes[cut...]
                + Array("\n\ndata: [DONE]\n\n".utf8)
            let relayed = Relayed([stream[...]], end: .none)
            #expect(relayed.text == Chunk.events(document) + Chunk.done, "cut at \(cut)")
            #expect(relayed.events == 1)
        }
    }

    @Test func characterCanBeCutBetweenEvents() {
        let document = Array(Chunk.content("ä€😀").utf8)
        for cut in 1..<document.count {
            let stream =
                Array("data: ".utf8) + document[..<cut] + Array("\n\ndata:".utf8) + document[cut...]
                + Array("\n\n".utf8)
            #expect(Relayed([stream[...]], end: .none).text == Chunk.events(Chunk.content("ä€😀")), "cut at \(cut)")
        }
    }

    @Test func splitsOfTheBodyDoNotMatter() {
        let relayed = Relayed.everyWay(events(Chunk.content("hello"), pieces: 3) + Chunk.done)
        #expect(relayed.text == Chunk.events(Chunk.content("hello")) + Chunk.done)
    }

    @Test func documentCanSpanNineEvents() {
        let nine = events(Chunk.content("0123456789"), pieces: 9)
        #expect(Relayed.everyWay(nine + nine + Chunk.done).text.hasSuffix(Chunk.done))
        let ten = events(Chunk.content("0123456789"), pieces: 10)
        #expect(Relayed.everyWay(ten + Chunk.done).code == "upstream_invalid_json")
    }

    @Test func joinedDocumentCanBeAsLargeAsAnEvent() {
        func stream(_ lengths: [Int]) -> String {
            let pieces = lengths.map { String(repeating: "x", count: $0) }
            let last = pieces.count - 1
            return pieces.enumerated().map { index, piece in
                "data: \(index == 0 ? "{\"a\":\"" : "")\(piece)\(index == last ? "\"}" : "")\n\n"
            }.joined()
        }
        let options = Relayed.options(eventLimit: 200_000)
        let edge = 200_000 - 3 * 60_000 - 8
        #expect(Relayed.atOnce(stream([60_000, 60_000, 60_000, edge]), options: options).end == .open)
        #expect(
            Relayed.atOnce(stream([60_000, 60_000, 60_000, edge + 1]), options: options).code
                == "upstream_oversize_event")
    }

    @Test(arguments: [Relayed.BodyEnd.clean, .broken]) func endInsideADocumentIsIncomplete(_ end: Relayed.BodyEnd) {
        let before = Chunk.events(Chunk.content("a"), Chunk.stop)
        let relayed = Relayed.everyWay(before + "data: {\"choices\":[\n\n", end: end)
        #expect(relayed.text == before)
        #expect(relayed.code == "upstream_incomplete")
    }

    @Test func doneInsideADocumentIsAnError() {
        let relayed = Relayed.everyWay("data: {\"choices\":[\n\n" + Chunk.done)
        #expect(relayed.text.isEmpty)
        #expect(relayed.code == "upstream_invalid_json")
    }

    @Test func mismatchedSecondHalfIsAnError() {
        let relayed = Relayed.everyWay("data: {\"choices\":[\n\ndata: }\n\n" + Chunk.done)
        #expect(relayed.code == "upstream_invalid_json")
    }

    @Test func multiLineAndSplitTogether() {
        let stream = "data: {\"choices\":\ndata: [],\"x\":\"a\n\ndata: b\ndata: c\"}\n\n" + Chunk.done
        #expect(Relayed.everyWay(stream).text == Chunk.events(#"{"choices": [],"x":"abc"}"#) + Chunk.done)
    }
}
