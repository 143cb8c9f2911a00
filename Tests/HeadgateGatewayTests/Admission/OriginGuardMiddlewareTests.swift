import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct OriginGuardMiddlewareTests {
    private func status(
        _ host: String?, _ fields: HTTPFields = [:], _ method: HTTPRequest.Method = .get,
        local: (String, UInt16) = ("127.0.0.1", 8686)
    ) async -> Int? {
        await Exchange(
            OriginGuardMiddleware(rules: OriginRules()), method, authority: host, fields: fields, local: local
        ).status
    }

    @Test(arguments: ["127.0.0.1:8686", "localhost:8686", "LOCALHOST:8686", "LocalHost:8686", "[::1]:8686"])
    func ownNamesPass(_ host: String) async {
        #expect(await status(host) == 200)
        #expect(await status(host, local: ("::1", 8686)) == 200)
    }

    @Test(arguments: [
        "evil.example:8686", ":8686", "", "localhost.:8686", "127.0.0.1.nip.io:8686", "2130706433:8686",
        "localhost@evil:8686",
        "127.0.0.1", "localhost", "[::1]", "127.0.0.1:80", "127.0.0.1:8687", "127.0.0.1:086860", "0.0.0.0:8686",
        "127.1:8686",
        "0x7f.0.0.1:8686", "[::ffff:127.0.0.1]:8686", "[0:0:0:0:0:0:0:1]:8686", "[::1%25lo]:8686", "::1:8686",
        "localhost:",
        "evil.localhost:8686", "localhost.evil:8686", "localhost:8686:8686", "192.168.1.5:8686", "localhost:8686/",
    ])
    func everyOtherNameIsRefused(_ host: String) async {
        for method: HTTPRequest.Method in [.get, .post, .options] {
            let exchange = await Exchange(OriginGuardMiddleware(rules: OriginRules()), method, authority: host)
            #expect(exchange.status == 421, "\(host)")
            #expect(exchange.error?.code == "host_not_allowed")
        }
    }

    /// A container's published port is requested on the host's loopback address but arrives on the container's own.
    @Test func loopbackAddressPassesOnEveryConnection() async {
        #expect(await status("127.0.0.1:8686", local: ("172.17.0.2", 8686)) == 200)
        #expect(await status("[::1]:8686", local: ("fd00::5", 8686)) == 200)
        #expect(await status("127.0.0.1:9000", local: ("172.17.0.2", 8686)) == 421)
    }

    @Test func configuredHostsPassWithTheirPorts() async {
        let rules = OriginRules(
            allowedHosts: [
                AllowedHost(host: "gw.lan", port: .own), AllowedHost(host: "any.lan", port: .any),
                AllowedHost(host: "one.lan", port: .exactly(9000)),
            ], publicURL: PublicURL(scheme: "https", authority: "llm.example.com"))
        func status(_ host: String, _ fields: HTTPFields = [:]) async -> Int? {
            await Exchange(
                OriginGuardMiddleware(rules: rules), .get, authority: host, fields: fields, local: ("10.0.0.2", 8686)
            ).status
        }
        for host in ["gw.lan:8686", "gw.lan", "GW.LAN:8686", "any.lan:1", "any.lan", "one.lan:9000", "llm.example.com"]
        {
            #expect(await status(host) == 200, "\(host)")
        }
        for host in [
            "gw.lan:8687", "one.lan", "one.lan:8686", "evil.lan", "llm.example.com.evil", "llm.example.com:444",
        ] {
            #expect(await status(host) == 421, "\(host)")
        }
        #expect(await status("llm.example.com", [.origin: "https://llm.example.com"]) == 200)
        #expect(await status("llm.example.com", [.origin: "https://evil.example"]) == 403)
    }

    @Test func configuredOriginsPassAndNoOther() async {
        let rules = OriginRules(allowedOrigins: ["https://app.example"])
        func status(_ origin: String, _ site: String = "cross-site") async -> Int? {
            await Exchange(
                OriginGuardMiddleware(rules: rules), .post, authority: "127.0.0.1:8686",
                fields: [.origin: origin, .secFetchSite: site]
            ).status
        }
        #expect(await status("https://app.example") == 200)
        for origin in ["https://app.example:8443", "http://app.example", "https://app.example.evil", "null", ""] {
            #expect(await status(origin) == 403, "\(origin)")
        }
    }

    /// An attacker between the browser and the http form of a name could serve a page there.
    @Test func plainOriginIsRefusedForASecureName() async {
        let rules = OriginRules(
            allowedHosts: [AllowedHost(host: "app.example", port: .any)], allowedOrigins: ["https://app.example"],
            publicURL: PublicURL(scheme: "https", authority: "llm.example"))
        func status(_ host: String, _ origin: String) async -> Int? {
            await Exchange(OriginGuardMiddleware(rules: rules), .post, authority: host, fields: [.origin: origin])
                .status
        }
        #expect(await status("127.0.0.1:8686", "https://app.example") == 200)
        #expect(await status("127.0.0.1:8686", "http://app.example") == 403)
        #expect(await status("llm.example", "https://llm.example") == 200)
        for host in ["llm.example", "LLM.example"] {
            #expect(await status(host, "http://\(host)") == 403)
        }
    }

    @Test func missingHostIsRefused() async {
        #expect(await status(nil) == 421)
    }

    @Test func addressOfTheConnectionPassesOnAWildcardBind() async {
        #expect(await status("192.168.1.5:8686", local: ("192.168.1.5", 8686)) == 200)
        #expect(await status("[fd00::5]:8686", local: ("fd00::5", 8686)) == 200)
        #expect(await status("[FD00::5]:8686", local: ("fd00::5", 8686)) == 200)
        #expect(await status("localhost:8686", local: ("192.168.1.5", 8686)) == 200)
        // The connection arrived at another address of this machine.
        #expect(await status("192.168.1.6:8686", local: ("192.168.1.5", 8686)) == 421)
    }

    @Test func defaultPortCanBeOmitted() async {
        for host in ["127.0.0.1", "localhost", "127.0.0.1:80", "[::1]"] {
            #expect(await status(host, local: ("127.0.0.1", 80)) == 200, "\(host)")
        }
        #expect(await status("localhost", [.origin: "http://localhost"], local: ("127.0.0.1", 80)) == 200)
    }

    @Test func ownOriginPasses() async {
        for host in ["127.0.0.1:8686", "localhost:8686", "[::1]:8686"] {
            #expect(await status(host, [.origin: "http://\(host)"], .post) == 200)
            #expect(await status(host, [.origin: "http://\(host)", .secFetchSite: "same-origin"], .post) == 200)
        }
    }

    @Test(arguments: [
        "null", "", "http://evil.example", "https://127.0.0.1:8686", "http://127.0.0.1", "http://127.0.0.1:8687",
        "http://localhost:8686",
        "http://127.0.0.1:8686/", "http://127.0.0.1:8686.evil", "HTTP://127.0.0.1:8686",
        "http://127.0.0.1:8686, http://evil.example",
        "file://", "chrome-extension://abc",
    ])
    func everyOtherOriginIsRefused(_ origin: String) async {
        for method: HTTPRequest.Method in [.get, .post, .options] {
            let exchange = await Exchange(
                OriginGuardMiddleware(rules: OriginRules()), method, fields: [.origin: origin])
            #expect(exchange.status == 403, "\(origin)")
            #expect(exchange.error?.code == "origin_not_allowed")
        }
    }

    @Test func pagesOfOtherSitesAreRefusedWithoutAnOriginToo() async {
        for site in ["cross-site", "same-site", "anything"] {
            #expect(await status("127.0.0.1:8686", [.secFetchSite: site]) == 403)
        }
        for site in ["same-origin", "none"] { #expect(await status("127.0.0.1:8686", [.secFetchSite: site]) == 200) }
    }

    @Test func refusalQuotesNothing() async {
        let host = await Exchange(OriginGuardMiddleware(rules: OriginRules()), authority: "evil.example:8686")
        #expect(host.error?.message.contains("evil") == false)
        let origin = await Exchange(
            OriginGuardMiddleware(rules: OriginRules()), fields: [.origin: "http://evil.example"])
        #expect(origin.error?.message.contains("evil") == false)
    }
}
