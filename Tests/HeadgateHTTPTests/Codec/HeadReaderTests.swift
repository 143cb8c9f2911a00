import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct HeadReaderTests {
    /// Returns a complete head of `count` bytes in three lines.
    private func headOfSize(_ count: Int) -> [UInt8] {
        let start = "GET / HTTP/1.1\r\nHost: a\r\nX-A: "
        return wire(start + String(repeating: "v", count: count - start.utf8.count - 4) + "\r\n\r\n")
    }

    private func headWithLines(_ count: Int) -> [UInt8] {
        wire("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: b\r\n", count: count - 1) + "\r\n")
    }

    @Test func headCanHave16KiB() throws {
        _ = try onlyRequest(headOfSize(16 * 1024))
        #expect(refusalStatus(headOfSize(16 * 1024 + 1)) == 431)
        #expect(refusalStatus(headOfSize(20 * 1024)) == 431)
    }

    @Test func emptyLineBeforeARequestDoesNotCount() throws {
        _ = try onlyRequest(wire("\r\n") + headOfSize(16 * 1024))
        #expect(refusalStatus(wire("\r\n") + headOfSize(16 * 1024 + 1)) == 431)
    }

    @Test func headIsRefusedAsSoonAsItIsTooLarge() {
        let endless = wire("GET / HTTP/1.1\r\nHost: a\r\nX-A: ") + [UInt8](repeating: 0x76, count: 20 * 1024)
        let atBound = readRequests(Array(endless.prefix(16 * 1024)))
        #expect(atBound.refusal == nil && atBound.hasBegun)
        #expect(refusalStatus(Array(endless.prefix(16 * 1024 + 1))) == 431)
        #expect(refusalStatus(endless) == 431)
    }

    @Test func headCanHave100Lines() throws {
        #expect(try onlyRequest(headWithLines(100)).request.headerFields.count == 99)
        #expect(refusalStatus(headWithLines(101)) == 431)
        #expect(refusalStatus(headWithLines(102)) == 431)
    }

    @Test func targetCanHave8KiB() throws {
        let target = "/" + String(repeating: "t", count: 8 * 1024 - 1)
        #expect(try onlyRequest(head("GET \(target) HTTP/1.1", "Host: a")).request.path == target)
        #expect(refusalStatus(head("GET \(target)t HTTP/1.1", "Host: a")) == 414)
        #expect(refusalStatus(head("GET \(target)\(target) HTTP/1.1", "Host: a")) == 414)
    }

    @Test func endlessTargetIsRefusedBeforeItsLineEnds() {
        #expect(refusalStatus(wire("GET /" + String(repeating: "t", count: 9 * 1024))) == 414)
        #expect(refusalStatus([UInt8](repeating: 0x41, count: 9 * 1024)) == 414)
        #expect(refusalStatus([UInt8](repeating: 0x41, count: 40 * 1024)) == 414)
    }

    /// The first fault decides, however the bytes are split.
    @Test func boundThatIsPassedBeforeABadLineEndDecides() {
        #expect(refusalStatus(wire("GET /" + String(repeating: "t", count: 9 * 1024) + "\n")) == 414)
        #expect(refusalStatus(Array(headOfSize(17 * 1024).dropLast(4)) + wire("\n\n")) == 431)
        #expect(refusalStatus(wire("GET / HTTP/1.1\n" + String(repeating: "t", count: 17 * 1024))) == 400)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
        "GET / HTTP/1.1\nHost: a\n\n",
        "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\rHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n\r\n", "GET / HTTP/1.1\n\rHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\n",
        "\n", "\r\n\n",
    ])
    func everyLineEndsInCRLF(_ text: String) {
        #expect(refusalStatus(wire(text)) == 400)
    }

    @Test func oneEmptyLineBeforeARequestIsSkipped() throws {
        let request = head("GET / HTTP/1.1", "Host: a")
        #expect(try onlyRequest(wire("\r\n") + request).request.path == "/")
        #expect(refusalStatus(wire("\r\n\r\n") + request) == 400)
        #expect(refusalStatus(wire(" \r\n") + request) == 400)
        #expect(readRequests(request + wire("\r\n") + request + wire("\r\n") + request).requests.count == 3)
        #expect(refusalStatus(request + wire("\r\n\r\n") + request) == 400)
    }

    @Test func everyPrefixOfAHeadWaitsForMore() {
        let request = head("GET / HTTP/1.1", "Host: a", "X-A: b")
        for count in 0..<request.count {
            let transcript = RequestTranscript([Array(request.prefix(count))])
            #expect(transcript.refusal == nil && transcript.requests.isEmpty)
            #expect(transcript.hasBegun == (count > 0))
        }
    }

    @Test func nothingIsConsumedBeyondAHead() throws {
        let first = head("GET / HTTP/1.1", "Host: a")
        var parser = RequestHeadParser()
        var offset = 0
        let rest = [UInt8](repeating: 0, count: 40 * 1024)
        try withExactMemory(Array(first.prefix(10))) { (bytes) throws(HTTPSyntaxError) in
            let head = try parser.parse(bytes, &offset)
            #expect(head == nil)
        }
        offset = 0
        try withExactMemory(first.dropFirst(10) + rest) { (bytes) throws(HTTPSyntaxError) in
            let head = try parser.parse(bytes, &offset)
            #expect(head != nil)
        }
        #expect(offset == first.count - 10)
        #expect(!parser.hasBegun)
    }
}
