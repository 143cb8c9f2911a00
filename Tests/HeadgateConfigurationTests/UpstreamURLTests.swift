import HeadgateConfiguration
import Testing

@Suite struct UpstreamURLTests {
    @Test(arguments: [
        ("https://api.openai.com/v1", "https api.openai.com 443 - /v1"),
        ("https://H.example/", "https h.example 443 - "),
        ("https://h:8443", "https h 8443 - "), ("http://127.0.0.1:8080/v1/", "http 127.0.0.1 8080 - /v1"),
        ("http://127.255.0.9", "http 127.255.0.9 80 - "), ("http://[::1]:1/a/b", "http ::1 1 - /a/b"),
        ("http://localhost", "http localhost 80 - "), ("https://[2001:DB8::1]", "https 2001:db8::1 443 - "),
        ("https://1.2.3.4/@x:y", "https 1.2.3.4 443 - /@x:y"),
        ("unix:/run/llm.sock", "unix localhost 0 /run/llm.sock /v1"),
        ("unix:/run/llm.sock:/api/", "unix localhost 0 /run/llm.sock /api"), ("unix:/s:/", "unix localhost 0 /s "),
        ("https://my_llm.a-b.c1:65535", "https my_llm.a-b.c1 65535 - "),
    ])
    func validURLsHaveOneReading(_ text: String, _ expected: String) throws {
        let url = try UpstreamURL(parsing: text)
        let parts = [url.scheme.rawValue, url.host, String(url.port), url.socketPath ?? "-", url.pathPrefix]
        #expect(parts.joined(separator: " ") == expected)
    }

    @Test(arguments: [
        ("", "must begin with"), ("api.openai.com", "must begin with"), ("HTTPS://h", "must begin with"),
        ("ftp://h", "must begin with"), ("https:/h", "must begin with"), ("https://", "host is empty"),
        ("https:///v1", "host is empty"), ("https://:443", "host is empty"), ("https://u:p@h", "user and password"),
        ("https://u@h", "user and password"), ("https://h?x", "query"), ("https://h/#x", "fragment"),
        ("https://h\\@x", "backslash"), ("https://h /", "white space"), ("https://h\n", "white space"),
        ("https://h\u{0}", "control byte"), ("https://h\u{7F}", "control byte"), ("https://bücher", "xn--"),
        ("https://2130706433", "usual form"), ("https://0x7f000001", "usual form"),
        ("https://0177.0.0.1", "usual form"),
        ("https://127.1", "usual form"), ("https://0x7f.0.0.1", "usual form"), ("https://127.0.0.0x1", "usual form"),
        ("https://256.0.0.1", "usual form"), ("https://1.2.3.4.5", "usual form"), ("https://127.0.0.01", "usual form"),
        ("https://[::0001]", "write [::1]"), ("https://[0:0:0:0:0:0:0:1]", "write [::1]"), ("https://[x]", "IPv6"),
        ("https://[::1", "']'"), ("https://[::1]x", "']'"), ("https://::1", "brackets"),
        ("https://[fe80::1%25eth0]", "percent"),
        ("https://h:0", "from 1 to 65535"), ("https://h:65536", "from 1 to 65535"), ("https://h:", "from 1 to 65535"),
        ("https://h:080", "from 1 to 65535"), ("https://h:+80", "from 1 to 65535"), ("https://h:8x", "from 1 to 65535"),
        ("https://-h", "not a name"), ("https://a..b", "not a name"), ("https://h.", "not a name"),
        ("https://a,b", "not a name"),
        ("http://example.com", "write https://"), ("http://10.0.0.1", "write https://"),
        ("http://0.0.0.0", "write https://"),
        ("http://[::]", "write https://"), ("http://127.0.0.1.example.com", "write https://"),
        ("http://[::ffff:127.0.0.1]", "write https://"), ("http://localhost.example", "write https://"),
        ("https://h/a/../b", "segments"), ("https://h/./b", "segments"), ("https://h//b", "segments"),
        ("https://h/v1//", "segments"), ("https://h/%2e%2e", "percent-encoding"), ("https://h/a\"b", "no URL path"),
        ("unix:", "absolute path"), ("unix:run/x", "absolute path"), ("unix:///run/x", "absolute path"),
        ("unix:/run/", "absolute path"), ("unix:/run/x:", "must begin with '/'"),
        ("unix:/run/x:v1", "must begin with '/'"),
        ("unix:/run/x:/a/../b", "segments"), ("unix:/" + String(repeating: "x", count: 107), "107 bytes"),
        ("https://h/" + String(repeating: "x", count: 2048), "2048"),
    ])
    func anythingAmbiguousIsRefused(_ text: String, _ reason: String) {
        let error = #expect(throws: InvalidValue.self) { try UpstreamURL(parsing: text) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
}
