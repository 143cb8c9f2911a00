import HeadgateHTTP
import Testing

@Suite struct AuthorityTests {
    @Test(
        arguments: [
            ("a", "a", nil), ("LocalHost:8686", "localhost", 8686), ("localhost.", "localhost.", nil),
            ("127.0.0.1:80", "127.0.0.1", 80),
            ("[::1]", "[::1]", nil), ("[FE80::A]:1", "[fe80::a]", 1),
            ("[::ffff:1.2.3.4]:65535", "[::ffff:1.2.3.4]", 65535), ("a_b-c.d:00080", "a_b-c.d", 80),
            ("2130706433:1", "2130706433", 1), ("a:0", "a", 0),
        ] as [(String, String, UInt16?)])
    func hostAndPortAreRead(_ text: String, _ host: String, _ port: UInt16?) throws {
        let authority = try #require(Authority(text))
        #expect(authority.host == host)
        #expect(authority.port == port)
    }

    @Test(arguments: [
        "", ":", ":80", "a:", "a:b", "a:-1", "a:+1", "a: 1", "a:1 ", " a", "a ", "a b", "a:1:2", "a:123456", "a@b",
        "a/b", "a?b", "a#b", "a%41", "a,b", "a;b", "a\\b",
        "[", "]", "[]", "[::1", "::1", "[::1]a", "[::1]:", "[::1]a:1", "[::1%eth0]", "[v1.a]", "[1.2.3.4]", "[a:b]",
        "[g::1]", "[[::1]]", "\u{E9}", "a\u{301}",
        "a:\u{301}80", "a:8\u{660}", "\u{FF41}", "[::1]\u{301}", "\u{212A}", "a:1\u{0}", "a\u{0}", "*",
        "a:99999999999999999999",
    ])
    func anythingElseIsNone(_ text: String) {
        #expect(Authority(text) == nil)
    }

    @Test func invalidPortMatchesNothing() {
        #expect(Authority("a:99999")?.port == 0)
        #expect(Authority("a:65536")?.port == 0)
    }

    @Test func equalityIgnoresTheCaseOfTheHost() {
        #expect(Authority("A:1") == Authority("a:1"))
        #expect(Authority("a:1") != Authority("a:2"))
        #expect(Authority("a") != Authority("a:80"))
    }
}
