import HeadgateEventLoop
import Testing

@testable import HeadgateNetwork

@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    private static let open = "HTTP/1.1 200 Connection established\r\n\r\n"

    private func tunnel(
        _ answer: String, pieces: Int = .max, closes: Bool = false, credential: String? = nil,
        to host: String = "api.example.com", timeout: Duration = .seconds(30),
        _ body: (Connecting.Outcome, ScriptedProxy) async throws -> Void
    ) async throws {
        try await withLoops { loops in
            let proxy = try await ScriptedProxy(on: loops[0], answer: answer, pieces: pieces, closes: closes)
            var connect = Connecting(loop: loops[0], policy: AddressPolicy(allowsPrivate: false))
            connect.proxy = Proxy(host: "127.0.0.1", port: proxy.port, credential: credential)
            connect.timeout = timeout
            try await body(await connect(.host(host, port: 443)), proxy)
            withExtendedLifetime(proxy) {}
        }
    }

    private func failure(
        _ answer: String, closes: Bool = false, timeout: Duration = .seconds(30)
    ) async throws -> String {
        var text = ""
        try await tunnel(answer, closes: closes, timeout: timeout) { outcome, _ in
            text = outcome.failure.map { "\($0)" } ?? "connected"
        }
        return text
    }

    // MARK: Successful tunnels

    @Test func tunnelIsRequestedByNameAndHandedOver() async throws {
        try await tunnel(ProxyTests.open) { outcome, proxy in
            #expect(outcome.socket != nil)
            #expect(proxy.heads == ["CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n"])
        }
    }

    @Test func credentialGoesToTheProxyAsBasicAuthentication() async throws {
        try await tunnel(ProxyTests.open, credential: "Aladdin:open sesame") { outcome, proxy in
            #expect(outcome.socket != nil)
            #expect(
                proxy.heads.first?.contains("\r\nProxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n") == true)
        }
    }

    @Test func addressOfIPv6IsWrittenInBrackets() async throws {
        try await tunnel(ProxyTests.open, to: "2606:4700::1111") { outcome, proxy in
            #expect(outcome.socket != nil)
            #expect(proxy.heads.first?.hasPrefix("CONNECT [2606:4700::1111]:443 HTTP/1.1\r\n") == true)
        }
    }

    @Test(arguments: [1, 7, .max])
    func bytesAfterTheHeadStayInTheSocket(_ pieces: Int) async throws {
        let early = "220 ready\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"
        let head = "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nVia: 1.1 proxy\r\n\r\n"
        try await tunnel(head + early, pieces: pieces, closes: true) { outcome, _ in
            #expect(outcome.socket?.readToEnd() == early, "a length is no body here (RFC 9110 section 9.3.6)")
        }
    }

    @Test func interimAnswersAreSkipped() async throws {
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"
        try await tunnel(interim + ProxyTests.open + "early", pieces: 3, closes: true) { outcome, _ in
            #expect(outcome.socket?.readToEnd() == "early")
        }
    }

    // MARK: Failed tunnels

    @Test func proxyThatRequiresACredential() async throws {
        let text = try await failure("HTTP/1.1 407 Who?\r\nContent-Length: 0\r\n\r\n")
        #expect(text.contains("407") && text.contains("`proxy: http://user:password@host:port`"))
    }

    @Test(arguments: [302, 400, 403, 502, 504])
    func proxyThatRefuses(_ status: Int) async throws {
        let text = try await failure("HTTP/1.1 \(status) secret\r\nContent-Length: 6\r\n\r\nsecret")
        #expect(text == "the proxy answered \(status) instead of opening a tunnel")
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 200 OK\n\n", "HTTP/2 200\r\n\r\n", "\0\0\0\r\n\r\n"])
    func proxyWithAnotherProtocol(_ answer: String) async throws {
        #expect(try await failure(answer).hasPrefix("the proxy's answer is not an HTTP response: "))
    }

    @Test func endlessProxyHead() async throws {
        let line = "X-Filler: " + String(repeating: "a", count: 1000) + "\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 100)
        #expect(try await failure(head).hasPrefix("the proxy's answer is not an HTTP response: "))
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nVia"])
    func proxyThatClosesBeforeItsResponse(_ answer: String) async throws {
        #expect(try await failure(answer, closes: true) == "the proxy closed the connection before it answered")
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nVia"])
    func unresponsiveProxyTimesOut(_ answer: String) async throws {
        let text = try await failure(answer, timeout: .milliseconds(100))
        #expect(text.hasPrefix("timed out while waiting for the proxy 127.0.0.1:"))
    }

    @Test func missingProxy() async throws {
        let port = try ListeningSocket("127.0.0.4").port
        await withLoops { loops in
            var connect = Connecting(loop: loops[0])
            connect.proxy = Proxy(host: "127.0.0.4", port: port)
            let outcome = await connect(.host("api.example.com", port: 443))
            #expect(outcome.failure?.description == "Connection refused")
        }
    }

    // MARK: Names and secrets

    @Test func onlyTheProxysNameIsResolvedAndItCanBePrivate() async throws {
        let names = FakeNames(["proxy.example": ["127.0.0.1"]])
        try await withLoops { loops in
            let proxy = try await ScriptedProxy(on: loops[0], answer: ProxyTests.open)
            var connect = Connecting(loop: loops[0], resolver: names.resolver())
            connect.policy = AddressPolicy(allowsPrivate: false)
            connect.proxy = Proxy(host: "proxy.example", port: proxy.port)
            #expect(await connect(.host("api.example.com", port: 443)).socket != nil)
            withExtendedLifetime(proxy) {}
        }
        #expect(names.calls == ["proxy.example"])
    }

    @Test func forbiddenAddressIsNotRequestedThroughAProxyEither() async throws {
        try await tunnel(ProxyTests.open, to: "169.254.169.254") { outcome, proxy in
            guard case .forbidden? = outcome.failure else {
                Issue.record("\(outcome) instead of a refusal")
                return
            }
            #expect(proxy.heads.isEmpty)
        }
    }

    @Test func credentialIsNeverShown() {
        let proxy = Proxy(host: "proxy.example", port: 3128, credential: "user:hunter2")
        var dumped = ""
        dump(proxy, to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), dumped, "\([proxy])"] {
            #expect(text.contains("proxy.example"))
            #expect(!text.contains("hunter2") && !text.contains(Proxy.base64(Array("user:hunter2".utf8))))
        }
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("\u{FF}?>", "w78/Pg=="),
    ])
    func base64(_ text: String, _ encoded: String) {
        #expect(Proxy.base64(Array(text.utf8)) == encoded)
    }
}
