import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct RequestHeadTests {
    @Test func hostIsNeededOnce() throws {
        #expect(refusalStatus(head("GET / HTTP/1.1")) == 400)
        #expect(refusalStatus(head("GET / HTTP/1.1", "Host: a", "Host: a")) == 400)
        #expect(refusalStatus(head("GET / HTTP/1.1", "Host: a", "HOST: b")) == 400)
        #expect(refusalStatus(head("GET / HTTP/1.0", "Host: a", "Host: a")) == 400)
        #expect(try onlyRequest(head("GET / HTTP/1.0")).request.authority == "")
    }

    @Test(arguments: [
        "", " ", ":80", "a:", "a:b", "a:123456", "a b", "a,b", "a@b", "a/b", "http://a", "[::1", "::1", "[::1]x",
        "a%41", "\u{E9}", "a\u{E9}", "a:+1",
    ])
    func hostThatIsNotHostAndPortIsRefused(_ value: String) {
        #expect(refusalStatus(head("GET / HTTP/1.1", "Host: \(value)")) == 400)
        #expect(refusalStatus(head("GET / HTTP/1.0", "Host: \(value)")) == 400)
    }

    @Test(arguments: ["a", "LocalHost:8686", "127.0.0.1:1", "[::1]:8686", "[FE80::1]", "a_b.c-d.", "a:0", "a:99999"])
    func hostIsPassedOnUnchanged(_ value: String) throws {
        #expect(try onlyRequest(head("GET / HTTP/1.1", "Host: \(value)")).request.authority == value)
    }

    @Test func absoluteFormAgreesWithHost() throws {
        #expect(refusalStatus(head("GET http://evil/ HTTP/1.1", "Host: a")) == 400)
        #expect(refusalStatus(head("GET http://a/ HTTP/1.1", "Host: evil")) == 400)
        #expect(refusalStatus(head("GET http://a:1/ HTTP/1.1", "Host: a:2")) == 400)
        #expect(
            try onlyRequest(head("GET http://LOCALHOST:8686/ HTTP/1.1", "Host: localhost:8686")).request.path == "/")
    }

    @Test(arguments: ["GET", "HEAD"])
    func requestWithoutMeaningForABodyHasNone(_ method: String) throws {
        #expect(refusalStatus(head("\(method) / HTTP/1.1", "Host: a", "Content-Length: 1")) == 400)
        #expect(refusalStatus(head("\(method) / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")) == 400)
        #expect(try onlyRequest(head("\(method) / HTTP/1.1", "Host: a", "Content-Length: 0")).bodyLength == .fixed(0))
    }

    @Test(arguments: ["POST", "PUT", "PATCH"])
    func requestWithABodyNeedsALength(_ method: String) throws {
        #expect(refusalStatus(head("\(method) / HTTP/1.1", "Host: a")) == 411)
        #expect(refusalStatus(head("\(method) / HTTP/1.0", "Host: a")) == 411)
        #expect(try onlyRequest(head("\(method) / HTTP/1.1", "Host: a", "Content-Length: 0")).bodyLength == .fixed(0))
    }

    @Test(arguments: ["OPTIONS", "DELETE", "BREW", "get"])
    func otherRequestCanHaveABody(_ method: String) throws {
        #expect(try onlyRequest(head("\(method) / HTTP/1.1", "Host: a")).bodyLength == .fixed(0))
        let fixed = try onlyRequest(head("\(method) / HTTP/1.1", "Host: a", "Content-Length: 2") + wire("ab"))
        #expect(fixed.body == wire("ab"))
        let chunked = try onlyRequest(
            head("\(method) / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + wire("1\r\nc\r\n0\r\n\r\n"))
        #expect(chunked.body == wire("c"))
    }

    @Test(arguments: ["chunked", "gzip", "chunked, gzip"])
    func http10HasNoTransferCoding(_ coding: String) {
        #expect(refusalStatus(head("POST / HTTP/1.0", "Host: a", "Transfer-Encoding: \(coding)")) == 400)
        #expect(refusalStatus(head("GET / HTTP/1.0", "Transfer-Encoding: \(coding)")) == 400)
    }

    @Test func http10AlwaysCloses() throws {
        #expect(try onlyRequest(head("GET / HTTP/1.0", "Connection: keep-alive")).closes)
        #expect(try !onlyRequest(head("GET / HTTP/1.1", "Host: a")).closes)
    }

    @Test func expectationIsOneThing() throws {
        let length = "Content-Length: 0"
        #expect(try onlyRequest(head("POST / HTTP/1.1", "Host: a", length, "Expect: 100-Continue")).expectsContinue)
        #expect(try !onlyRequest(head("POST / HTTP/1.1", "Host: a", length)).expectsContinue)
        #expect(try !onlyRequest(head("POST / HTTP/1.0", "Host: a", length, "Expect: 100-continue")).expectsContinue)
        #expect(try !onlyRequest(head("POST / HTTP/1.0", "Host: a", length, "Expect: 200-ok")).expectsContinue)
        for other in ["200-ok", "", "100-continue, x", "100-continue;q=1", "100-contin\u{FC}e"] {
            #expect(refusalStatus(head("POST / HTTP/1.1", "Host: a", length, "Expect: \(other)")) == 417)
        }
    }

    @Test func upgradeIsIgnored() throws {
        let request = try onlyRequest(
            head("GET / HTTP/1.1", "Host: a", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"))
        #expect(!request.closes)
        #expect(request.request.method == .get)
    }

    @Test func refusedBytesCloseAndHaveNoBody() {
        let refused = RequestHead(
            HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/"), closes: true)
        #expect(refused.closes && !refused.expectsContinue && !refused.isHTTP10)
        #expect(refused.bodyLength == .fixed(0))
    }
}
