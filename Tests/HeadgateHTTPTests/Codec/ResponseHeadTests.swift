import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct ResponseHeadTests {
    @Test(arguments: [
        "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 2x0", "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK",
        " HTTP/1.1 200 OK",
        "HTTP/1.1 200\tOK", "HTTP/1.1 200OK", "HTTP/1.1 +20 OK", "HTTP/1.1 099 X", "HTTP/1.1 000 X", "HTTP/1.1 600 X",
        "HTTP/1.1 999 X",
        "HTTP/2.0 200 OK", "HTTP/1.2 200 OK", "HTTP/0.9 200 OK", "HTTP/2 200", "http/1.1 200 OK",
        "HTTP/1.1 200 O\u{00}K", "HTTP/1.1 200 OK\r",
        "HTTP/1.1 200 O\u{7F}K", "ICY 200 OK", "GET / HTTP/1.1", "<html>", "HTTP/1.1 \u{B2}00 OK", "HTTP/1.1 -12 OK",
        "HTTP/1.1200 OK  ",
    ])
    func malformedStatusLineIsRefused(_ line: String) {
        #expect(readResponse(head(line, "Content-Length: 0")).refusal != nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 200 ", 200), ("HTTP/1.1 200", 200), ("HTTP/1.0 404 Not Found", 404),
        ("HTTP/1.1 599 \u{E9}\tx", 599),
    ])
    func reasonIsIgnored(_ line: String, _ status: Int) {
        let answer = readResponse(head(line, "Content-Length: 0"))
        #expect(answer.refusal == nil)
        #expect(answer.response?.status.code == status)
    }

    @Test(arguments: ["<html>hello</html>", "hello\n", "{}", "\r\nHTTP/1.1 200 OK\r\n\r\n", "\u{00}\u{00}\r\n\r\n"])
    func bytesWithoutAHeadAreNotAResponse(_ text: String) {
        #expect(readResponse(wire(text)).response == nil)
        #expect(readResponse(wire(text) + wire("\r\n\r\n")).refusal != nil)
    }

    @Test func bodyLengthFollowsTheFields() {
        let fixed = readResponse(head("HTTP/1.1 200 OK", "Content-Length: 3") + wire("abcd"))
        #expect(
            fixed.bodyLength == .fixed(3) && fixed.body == wire("abc") && fixed.isComplete && fixed.unread == 1
                && fixed.closes == false)
        let chunked = readResponse(
            head("HTTP/1.1 200 OK", "Transfer-Encoding: Chunked") + wire("1;e\r\na\r\n0\r\nX-A: b\r\n\r\nHTTP"))
        #expect(
            chunked.bodyLength == .chunked && chunked.body == wire("a") && chunked.isComplete && chunked.unread == 4)
        let untilEnd = readResponse(head("HTTP/1.1 200 OK") + wire("abc"))
        #expect(untilEnd.bodyLength == .untilEnd && untilEnd.body == wire("abc") && !untilEnd.isComplete)
        #expect(untilEnd.endsWithConnection && untilEnd.closes == true)
    }

    @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: chunked", "X-A: b"])
    func someResponsesNeverHaveABody(_ line: String) {
        for (status, method) in [(204, HTTPRequest.Method.post), (304, .get), (200, .head), (404, .head)] {
            let answer = readResponse(head("HTTP/1.1 \(status) X", line) + wire("next"), method: method)
            #expect(answer.refusal == nil)
            #expect(answer.bodyLength == .fixed(0) && answer.isComplete && answer.unread == 4 && answer.closes == false)
        }
    }

    @Test(arguments: [
        ["Content-Length: 3", "Transfer-Encoding: chunked"], ["Transfer-Encoding: chunked", "Content-Length: 3"],
        ["Transfer-Encoding: gzip"],
        ["Transfer-Encoding: gzip, chunked"], ["Content-Length: 3", "Content-Length: 3"], ["Content-Length: 3, 3"],
        ["Content-Length: -1"],
        ["Content-Length: 1234567890123456"], ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], ["X-A : b"],
        ["X-A: b\r\n c"], ["X-A: \u{00}"], ["X-A"],
        ["Content-Type: a", "Content-Type: b"],
    ])
    func ambiguousFramingIsRefused(_ lines: [String]) {
        for line in ["HTTP/1.1 200 OK", "HTTP/1.1 204 No Content", "HTTP/1.1 100 Continue"] {
            #expect(readResponse(wire(([line] + lines).joined(separator: "\r\n") + "\r\n\r\n")).refusal != nil)
        }
    }

    @Test func http10HasNoTransferCodingAndCloses() {
        #expect(readResponse(head("HTTP/1.0 200 OK", "Transfer-Encoding: chunked")).refusal != nil)
        #expect(readResponse(head("HTTP/1.0 200 OK", "Content-Length: 0")).closes == true)
        #expect(readResponse(head("HTTP/1.0 200 OK", "Content-Length: 0", "Connection: keep-alive")).closes == true)
        #expect(readResponse(head("HTTP/1.1 200 OK", "Content-Length: 0", "Connection: CLOSE")).closes == true)
        #expect(readResponse(head("HTTP/1.1 200 OK", "Content-Length: 0", "Connection: keep-alive")).closes == false)
    }

    @Test func fieldsLoseBytesAbove7F() {
        let answer = readResponse(head("HTTP/1.1 200 OK", "Content-Length: 0", "Retry-After: 3", "X-A: \u{E9}"))
        #expect(answer.response?.headerFields[.retryAfter] == "3")
        #expect(answer.response?.headerFields.count == 2)
    }

    @Test func refusalsOfAResponseContainNoInput() {
        let refusal = readResponse(head("HTTP/1.1 200 OK", "X-Secret\u{00}: sk-secret")).refusal
        #expect(refusal?.explanation.contains("ecret") == false)
    }
}
