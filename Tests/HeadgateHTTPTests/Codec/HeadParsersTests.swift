import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct HeadParsersTests {
    private let final = head("HTTP/1.1 200 OK", "Content-Length: 2") + wire("ab")

    @Test(arguments: ["HTTP/1.1 100 Continue", "HTTP/1.1 103 Early Hints", "HTTP/1.1 102 X", "HTTP/1.1 199 X"])
    func interimHeadIsSkipped(_ line: String) {
        let answer = readResponse(head(line, "Link: x") + final)
        #expect(answer.response?.status == .ok)
        #expect(answer.response?.headerFields.count == 1)
        #expect(answer.body == wire("ab") && answer.isComplete)
    }

    @Test func atMostEightInterimHeadsAreSkipped() {
        let interim = head("HTTP/1.1 100 Continue")
        #expect(readResponse([UInt8](repeatElement(interim, count: 8).joined()) + final).body == wire("ab"))
        #expect(readResponse([UInt8](repeatElement(interim, count: 9).joined()) + final).refusal != nil)
        #expect(readResponse([UInt8](repeatElement(interim, count: 9).joined())).response == nil)
    }

    @Test func protocolSwitchIsRefused() {
        #expect(readResponse(head("HTTP/1.1 101 Switching Protocols", "Upgrade: h2c") + final).refusal != nil)
    }

    @Test func lengthOfAnInterimHeadIsIgnored() {
        #expect(readResponse(head("HTTP/1.1 103 Early Hints", "Content-Length: 5") + final).body == wire("ab"))
    }

    @Test func responseHeadCanHave64KiB() {
        func answer(_ count: Int) -> [UInt8] {
            let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A: "
            return wire(start + String(repeating: "v", count: count - start.utf8.count - 4) + "\r\n\r\n")
        }
        func coarsely(_ bytes: [UInt8]) -> [ResponseTranscript] {
            [1024, 4093, 65_536, bytes.count].map { size in
                ResponseTranscript(
                    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) })
            }
        }
        #expect(coarsely(answer(64 * 1024)).map(\.isComplete) == [true, true, true, true])
        #expect(coarsely(answer(64 * 1024 + 1)).map(\.refusal?.status) == [431, 431, 431, 431])
        #expect(coarsely([UInt8](repeating: 0x41, count: 70 * 1024)).map(\.refusal?.status) == [431, 431, 431, 431])
    }

    @Test func responseHeadCanHave200Lines() {
        func answer(_ lines: Int) -> [UInt8] {
            wire("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + String(repeating: "A: b\r\n", count: lines - 1) + "\r\n")
        }
        #expect(readResponse(answer(200)).isComplete)
        #expect(readResponse(answer(201)).refusal != nil)
    }

    @Test func answerHasBegunWithItsFirstByte() throws {
        var parser = ResponseHeadParser(requestMethod: .get)
        var offset = 0
        #expect(!parser.hasBegun)
        try withExactMemory(wire("H")) { (bytes) throws(HTTPSyntaxError) in _ = try parser.parse(bytes, &offset) }
        #expect(parser.hasBegun)
        var afterInterim = ResponseHeadParser(requestMethod: .get)
        offset = 0
        try withExactMemory(head("HTTP/1.1 100 Continue")) { (bytes) throws(HTTPSyntaxError) in
            _ = try afterInterim.parse(bytes, &offset)
        }
        #expect(afterInterim.hasBegun)
    }

    @Test func pipelinedRequestsAreReadOneByOne() {
        let parts = [
            head("GET /1 HTTP/1.1", "Host: a"), head("POST /2 HTTP/1.1", "Host: a", "Content-Length: 3") + wire("GET"),
            wire("\r\n"),
            head("POST /3 HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")
                + wire("3;a=b\r\nGET\r\n0\r\nX: y\r\n\r\n"),
            head("OPTIONS * HTTP/1.1", "Host: a"),
        ]
        let transcript = readRequests(Array(parts.joined()))
        #expect(transcript.refusal == nil)
        #expect(transcript.requests.map(\.request.path) == ["/1", "/2", "/3", "*"])
        #expect(transcript.requests.map(\.body) == [[], wire("GET"), wire("GET"), []])
        #expect(transcript.requests.map(\.isComplete) == [true, true, true, true])
    }

    @Test func requestAfterARefusedOneIsNotSeen() {
        let bad = head("POST / HTTP/1.1", "Host: a", "Content-Length: 1", "Transfer-Encoding: chunked")
        let transcript = readRequests(bad + head("GET /next HTTP/1.1", "Host: a"))
        #expect(transcript.requests.isEmpty)
        #expect(transcript.refusal?.status == 400)
    }
}
