import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct RequestLineTests {
    @Test(arguments: [
        "GET  / HTTP/1.1", "GET /  HTTP/1.1", " GET / HTTP/1.1", "\tGET / HTTP/1.1", "GET / HTTP/1.1 ",
        "GET / HTTP/1.1\t",
        "GET\t/ HTTP/1.1", "GET /\tHTTP/1.1", "GET\u{0B}/\u{0B}HTTP/1.1", "GET\u{0C}/ HTTP/1.1", "GET /a b HTTP/1.1",
        "GET / HTTP/1.1 HTTP/1.1", "GET / HTTP/1.1\r", "\rGET / HTTP/1.1", "GET /\r HTTP/1.1", "GET / \rHTTP/1.1",
        "GET", "GET /",
        "GET / ", " / HTTP/1.1", "GET  HTTP/1.1", "/ HTTP/1.1", "   ", "HTTP/1.1 200 OK", "GET\u{00}/ HTTP/1.1",
        "G\u{00C9}T / HTTP/1.1",
        "\"GET\" / HTTP/1.1", "GET: / HTTP/1.1", "GET,POST / HTTP/1.1", "\u{16}\u{03}\u{01}\u{02}",
    ])
    func lineOfAnyOtherShapeIsRefused(_ line: String) {
        #expect(refusalStatus(head(line, "Host: a")) == 400)
    }

    @Test(arguments: [
        "http/1.1", "Http/1.1", "HTTP/1.1.", "HTTP/1.", "HTTP/.1", "HTTP/11", "HTTP/1", "HTTP/01.1", "HTTP/1.01",
        "HTTP/1.10",
        "HTTP/+1.1", "HTTP/1.A", "HTTP/A.1", "HTTPS/1.1", "HTTP/1,1", "HTTP\\1.1", "HTTP/1.\u{B9}", "HTP/1.1", "1.1",
        "HTTP/-1.1",
    ])
    func malformedVersionIsABadRequest(_ version: String) {
        #expect(refusalStatus(head("GET / \(version)", "Host: a")) == 400)
    }

    @Test(arguments: [
        "HTTP/1.2", "HTTP/1.9", "HTTP/2.0", "HTTP/0.9", "HTTP/3.0", "HTTP/0.0", "HTTP/9.9", "HTTP/2.1", "HTTP/0.1",
    ])
    func otherWellFormedVersionIsNotSupported(_ version: String) {
        #expect(refusalStatus(head("GET / \(version)", "Host: a")) == 505)
    }

    @Test func bothVersionsAreAccepted() throws {
        #expect(try !onlyRequest(head("GET / HTTP/1.1", "Host: a")).isHTTP10)
        #expect(try onlyRequest(head("GET / HTTP/1.0", "Host: a")).isHTTP10)
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func methodIsATokenForEveryByte(_ octet: UInt8) {
        let bytes = wire("OPT") + [octet] + wire("ONS / HTTP/1.1\r\nHost: a\r\n\r\n")
        let transcript = readRequests(bytes)
        #expect(transcript.refusal?.status == (isTokenOctet(octet) ? nil : 400))
        if isTokenOctet(octet) {
            #expect(transcript.requests.first?.request.method.rawValue.utf8.dropFirst(3).first == octet)
        }
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "DELETE", "get", "Post", "TRACE", "M-SEARCH", "GETT", "GE", "X"])
    func methodKeepsItsCase(_ method: String) throws {
        #expect(try onlyRequest(head("\(method) / HTTP/1.1", "Host: a")).request.method.rawValue == method)
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func targetIsVisibleASCIIWithoutFragment(_ octet: UInt8) {
        let bytes = wire("GET /a") + [octet] + wire("b HTTP/1.1\r\nHost: a\r\n\r\n")
        let isAllowed = (0x21...0x7E).contains(octet) && octet != UInt8(ascii: "#")
        let transcript = readRequests(bytes)
        #expect(transcript.refusal?.status == (isAllowed ? nil : 400))
        if isAllowed {
            #expect(transcript.requests.first?.request.path.map { Array($0.utf8) } == wire("/a") + [octet] + wire("b"))
        }
    }

    @Test(arguments: [
        "GET * HTTP/1.1", "POST * HTTP/1.1", "GET a HTTP/1.1", "GET a:80 HTTP/1.1", "CONNECT a:80 HTTP/1.1",
        "OPTIONS ** HTTP/1.1",
        "OPTIONS a:80 HTTP/1.1", "GET https://a/ HTTP/1.1", "GET ftp://a/ HTTP/1.1", "GET http:// HTTP/1.1",
        "GET http:/a HTTP/1.1",
        "GET http:/// HTTP/1.1", "GET http://?q HTTP/1.1", "GET http://u@a/ HTTP/1.1", "GET http://u:p@a/ HTTP/1.1",
        "GET http://@a/ HTTP/1.1", "GET http://a:/ HTTP/1.1", "GET http://a:b/ HTTP/1.1", "GET http://a%41/ HTTP/1.1",
        "GET http://[::1/ HTTP/1.1", "GET ?q HTTP/1.1", "GET \\ HTTP/1.1", "GET file:///etc/passwd HTTP/1.1",
        "GET http://b/ HTTP/1.1", "GET http://a:80/ HTTP/1.1", "GET http://a\\@b/ HTTP/1.1",
    ])
    func targetOfAnyOtherFormIsRefused(_ line: String) {
        #expect(refusalStatus(head(line, "Host: a")) == 400)
    }

    @Test(arguments: [
        ("/", "/"), ("/a/../b?c=%00&d=%zz", "/a/../b?c=%00&d=%zz"), ("//b/c", "//b/c"), ("/http://b/", "/http://b/"),
        ("/?", "/?"),
        ("http://a/x?y", "/x?y"), ("HTTP://A/x", "/x"), ("http://a", "/"), ("http://a?q=/", "/?q=/"),
        ("http://a//b", "//b"),
    ])
    func targetIsReducedToItsPath(_ target: String, _ path: String) throws {
        let request = try onlyRequest(head("GET \(target) HTTP/1.1", "Host: a")).request
        #expect(request.path == path)
        #expect(request.authority?.lowercased() == "a")
    }

    @Test func asteriskIsForOptions() throws {
        #expect(try onlyRequest(head("OPTIONS * HTTP/1.1", "Host: a")).request.path == "*")
    }

    @Test func absoluteFormNamesTheServerWithoutAHostField() throws {
        #expect(try onlyRequest(head("GET http://a:81/x HTTP/1.0")).request.authority == "a:81")
        #expect(refusalStatus(head("GET http://a:81/x HTTP/1.1")) == 400)
    }
}
