import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct ChunkedDecoderTests {
    private func post(_ body: String) -> [UInt8] {
        head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + wire(body)
    }

    @Test(arguments: [
        ("0\r\n\r\n", ""), ("3\r\nabc\r\n0\r\n\r\n", "abc"), ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"),
        ("00000003\r\nabc\r\n00000000\r\n\r\n", "abc"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("A\r\n0123456789\r\n00\r\n\r\n", "0123456789"),
        ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
        ("5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"), ("1\r\n\u{FF}\r\n0\r\n\r\n", "\u{FF}"),
        // Extensions
        ("3;a\r\nabc\r\n0;a\r\n\r\n", "abc"), ("3;a=b\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=b;c;d=\"e\"\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=\"b c;\\\"\\\\ \t\u{FF}\"\r\nabc\r\n0\r\n\r\n", "abc"), ("3;a=\"\"\r\nabc\r\n0;x=\"\"\r\n\r\n", "abc"),
        ("3;!#$%&'*+-.^_`|~=~\r\nabc\r\n0\r\n\r\n", "abc"),
        // Trailers
        ("0\r\nX-A: b\r\n\r\n", ""), ("3\r\nabc\r\n0\r\nX-A: b\r\nX-C:\r\n\r\n", "abc"),
        ("1\r\na\r\n0;e\r\nX-A: \u{E9}\r\n\r\n", "a"),
    ])
    func bodyIsTheDataOfItsChunks(_ coded: String, _ body: String) throws {
        let request = try onlyRequest(post(coded))
        #expect(request.body == wire(body))
        #expect(request.request.headerFields.count == 1)
    }

    @Test(arguments: [
        "\r\n", "x\r\n", "g\r\n", "-1\r\n", "+1\r\na\r\n", "0x1\r\na\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "1\t\r\na\r\n",
        "1\n", "1\r", "1\r\ra", "1.\r\n",
        "000000001\r\na\r\n", "FFFFFFFFF\r\n", "100000000\r\n", "10000000000000001\r\na", "\u{EF}\u{BC}\u{95}\r\n",
        "1,1\r\n", "1_0\r\n", "\u{00}1\r\n", ";a\r\n",
    ])
    func sizeThatIsNotOneToEightHexDigitsIsRefused(_ coded: String) {
        // The byte after `1\r` decides the refusal.
        let status = refusalStatus(post(coded + (coded.hasSuffix("\r") ? "x" : "")))
        #expect(status == 400)
    }

    @Test(arguments: [
        "1;\r\n", "1; a\r\n", "1 ;a\r\n", "1;a \r\n", "1;a =b\r\n", "1;a= b\r\n", "1;=b\r\n", "1;a=\r\n", "1;a=b c\r\n",
        "1 a=b\r\n", "1;a\u{00}b\r\n", "1;a\rb\r\n",
        "1;a\n", "1;a=\"b\r\n", "1;a=\"b\n\"", "1;a=\"\\\r\n", "1;a=\"b\u{7F}\"\r\n", "1;a=\"b\"c\r\n", "1;\u{E9}\r\n",
        "1;a;;b\r\n", "1;a=\"b\u{1B}\"\r\n",
        "1;a=b=c\r\n", "1;a=\"b\"=c\r\n", "1;a,b\r\n", "1;a\u{85}\r\n", "0;\r\n\r\n", "0;a=\"b\n\r\n\r\n",
    ])
    func malformedExtensionIsRefused(_ coded: String) {
        #expect(refusalStatus(post(coded)) == 400)
    }

    @Test(arguments: [
        "3\r\nabcX", "3\r\nabc\n", "3\r\nabc\rX", "3\r\nabc0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc\r\r\n",
        "3\r\nabc\r\n\r\n", "2\r\nabc\r\n0\r\n\r\n",
        "4\r\nabc\r\n0\r\n\r\n", "3\r\nabc 0\r\n", "3\r\nabc\n\r0\r\n",
    ])
    func dataIsFollowedByExactlyCRLF(_ coded: String) {
        #expect(refusalStatus(post(coded)) == 400)
    }

    @Test(arguments: [
        "0\r\nX-A\r\n\r\n", "0\r\n X-A: b\r\n\r\n", "0\r\nX-A : b\r\n\r\n", "0\r\nX-A: b\n\r\n", "0\r\nX-A: b\r\n\n",
        "0\r\n\n", "0\r\nX-A: \u{00}\r\n\r\n",
        "0\r\nX-A: b\r\n c\r\n\r\n", "0\r\n: b\r\n\r\n", "0\r\nGET / HTTP/1.1\r\n\r\n", "0\n\r\n", "0\r\n\rX",
        "0\r\nX-A: b\rc\r\n\r\n",
    ])
    func malformedTrailerIsRefused(_ coded: String) {
        // Enough header lines to end a section that has no end.
        #expect(refusalStatus(post(coded + (coded.hasSuffix("X") ? "\r\n\r\n" : ""))) == 400)
    }

    @Test func trailersNeverReachTheFields() throws {
        let trailers = "X-A: b\r\nAuthorization: Bearer x\r\nHost: evil\r\nConnection: close\r\n"
        let request = try onlyRequest(post("1\r\na\r\n0\r\n\(trailers)\r\n"))
        #expect(request.request.headerFields.count == 1)
        #expect(request.request.authority == "a")
        #expect(!request.closes)
    }

    /// The message ends at the end of the coding, whatever framing a trailer claims.
    @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: chunked"])
    func framingFieldInATrailerChangesNothing(_ line: String) {
        let next = head("GET /next HTTP/1.1", "Host: a")
        let transcript = readRequests(post("1\r\na\r\n0\r\n\(line)\r\n\r\n") + next)
        #expect(transcript.requests.first?.body == wire("a"))
        if transcript.refusal == nil {
            #expect(transcript.requests.count == 2)
        } else {
            #expect(transcript.requests.count == 1)
        }
    }

    @Test func extensionCanHave256BytesPerChunk() throws {
        let extended = ";" + String(repeating: "e", count: 255)
        #expect(
            try onlyRequest(post("1\(extended)\r\na\r\n1\(extended)\r\nb\r\n0\(extended)\r\n\r\n")).body == wire("ab"))
        #expect(refusalStatus(post("1\(extended)e\r\na\r\n0\r\n\r\n")) == 400)
        #expect(refusalStatus(post("0\(extended)e\r\n\r\n")) == 400)
        #expect(refusalStatus(post("1;a=\"" + String(repeating: "e", count: 300))) == 400)
    }

    @Test func extensionsCanHave16KiBInTotal() {
        let chunk = "1;" + String(repeating: "e", count: 127) + "\r\na\r\n"
        let atBound = everyWay(post(String(repeating: chunk, count: 128))) { RequestTranscript($0) }
        #expect(atBound.refusal == nil && atBound.requests.first?.body.count == 128)
        #expect(refusalStatus(post(String(repeating: chunk, count: 128) + "1;e")) == 400)
    }

    @Test func trailersAreHeldToTheBoundsOfAHead() throws {
        let line = "A: b\r\n"
        #expect(try onlyRequest(post("0\r\n" + String(repeating: line, count: 100) + "\r\n")).isComplete)
        #expect(refusalStatus(post("0\r\n" + String(repeating: line, count: 101) + "\r\n")) == 431)
        let long = "0\r\nA: " + String(repeating: "b", count: 16 * 1024 - 10)
        #expect(readRequests(post(long + "\r\n\r\n")).requests.first?.isComplete == true)
        #expect(refusalStatus(post(long + "bbb\r\n\r\n")) == 431)
        #expect(refusalStatus(post(long + String(repeating: "b", count: 4096))) == 431)
    }

    @Test func sumOfChunksIsCheckedBeforeTheirData() {
        func status(_ coded: String) -> Int? { readRequests(post(coded), bodyLimit: 5).refusal?.status }
        #expect(status("5\r\nabcde\r\n0\r\n\r\n") == nil)
        #expect(status("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") == nil)
        #expect(status("6\r\n") == 413)
        #expect(status("3\r\nabc\r\n3\r\n") == 413)
        #expect(status("FFFFFFFF\r\n") == 413)
        #expect(status("5\r\nabcde\r\nFFFFFFFF\r\n") == 413)
    }

    @Test func everyPrefixOfABodyWaitsForMore() {
        let message = post("3;a=\"b\"\r\nabc\r\n0\r\nX-A: b\r\n\r\n")
        for count in head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked").count..<message.count {
            let transcript = RequestTranscript([Array(message.prefix(count))])
            #expect(transcript.refusal == nil)
            #expect(transcript.requests.map(\.isComplete) == [false])
        }
    }
}
