import HeadgateConfiguration
import Testing

@Suite struct OriginRulesTests {
    @Test(arguments: [
        ("Gateway.LAN", "gateway.lan", AllowedHost.Port.own), ("gateway.lan:8080", "gateway.lan", .exactly(8080)),
        ("gateway.lan:*", "gateway.lan", .any), ("10.0.0.1", "10.0.0.1", .own), ("[::1]:*", "[::1]", .any),
        ("[fd00::1]:80", "[fd00::1]", .exactly(80)), ("[fd00::1]", "[fd00::1]", .own),
    ])
    func hostsAreRead(_ text: String, _ host: String, _ port: AllowedHost.Port) throws {
        #expect(try parse("allowed_hosts: ['\(text)']").origins.allowedHosts == [AllowedHost(host: host, port: port)])
    }

    @Test(arguments: [
        "", "*", "*.lan", "a:0", "a:*:*", "a:80:*", "::1", "http://a", "a/b", "a b", "127.1", "[::1", "a@b", "a:",
    ])
    func otherHostsAreRefused(_ text: String) {
        let found = issues("allowed_hosts:\n- '\(text)'")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:2:3: error: allowed_hosts: ") == true)
    }

    @Test(arguments: [
        ("https://Chat.Example", "https://chat.example"), ("http://localhost:3000", "http://localhost:3000"),
        ("HTTPS://h:443", "https://h"), ("http://h:80", "http://h"), ("https://h:80", "https://h:80"),
        ("http://[::1]:80", "http://[::1]"), ("tauri://localhost", "tauri://localhost"),
        ("chrome-extension://abcdef", "chrome-extension://abcdef"),
    ])
    func originsHaveOneSpelling(_ text: String, _ origin: String) throws {
        #expect(try parse("allowed_origins: ['\(text)']").origins.allowedOrigins == [origin])
    }

    @Test(arguments: [
        "", "*", "null", "https://*", "https://*.example", "https://h/", "https://h/path", "https://u@h", "h", "//h",
        "https:h", "https://", "1x://h", "https://h:0", "https://h?x",
    ])
    func otherOriginsAreRefused(_ text: String) {
        let found = issues("allowed_origins:\n- '\(text)'")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:2:3: error: allowed_origins: ") == true)
    }

    @Test func thePublicURLIsAnOriginOfHTTP() throws {
        let url = try parse("public_url: https://LLM.example:443").origins.publicURL
        #expect(url == PublicURL(scheme: "https", authority: "llm.example"))
        for text in ["ftp://h", "https://h/", "llm.example"] {
            #expect(issues("public_url: '\(text)'").first?.hasPrefix("t.yaml:1:13: error: public_url: ") == true)
        }
    }

    @Test func emptySectionsAllowNothing() throws {
        #expect(try parse("allowed_hosts:\nallowed_origins: []").origins == OriginRules())
    }
}
