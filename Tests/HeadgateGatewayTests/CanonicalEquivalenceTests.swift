import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Swift regards canonically equivalent texts as equal. Names with different bytes are different names.
@Suite struct CanonicalEquivalenceTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"
    private static let kelvin = "\u{212A}imi"

    private func gateway(_ names: [String], key models: [String] = ["*"]) -> InProcessGateway {
        let transport = PlannedTransport(.json("{}"))
        let upstream = UpstreamDefinition(
            name: "up", baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"),
            credential: nil, transport: transport)
        let key = KeyConfiguration(
            name: "k", digest: KeyDigest(of: InProcessGateway.clientKey.utf8).bytes, models: models)
        return InProcessGateway(
            transport: transport, upstreams: [upstream],
            models: names.map { ModelConfiguration(name: $0, upstream: "up", model: "for \($0.utf8.count)") },
            keys: [key])
    }

    @Test func modelsAreFoundByTheirBytes() async {
        let running = gateway([Self.composed, "Kimi", "caf*"])
        #expect(await running.chat(model: Self.kelvin).status == 404)
        #expect(await running.chat(model: "Kimi").status == 200)
        // The name matches the pattern, not the canonically equivalent name.
        #expect(await running.chat(model: Self.decomposed).status == 200)
        #expect(running.transport.requests.map(\.body).last?.contains(#""model":"for 4""#) == true)
        #expect(await running.ask(.get, "/v1/models/%E2%84%AAimi").status == 404)
    }

    @Test func equivalentNamesAreTwoModels() async {
        let running = gateway([Self.composed, Self.decomposed])
        #expect(await running.chat(model: Self.composed).status == 200)
        #expect(await running.chat(model: Self.decomposed).status == 200)
        let bodies = running.transport.requests.map(\.body)
        #expect(bodies[0].contains(#""model":"for 5""#) && bodies[1].contains(#""model":"for 6""#))
    }

    @Test func allowListsAreReadByTheirBytes() {
        let key = ClientKey(KeyConfiguration(name: "k", digest: [], models: [Self.composed, "Kimi", "o\u{600}*"]))
        #expect(key.allows(model: Self.composed) && !key.allows(model: Self.decomposed))
        #expect(!key.allows(model: Self.kelvin))
        // Swift joins the mark and the star into one character, but the star is still a wildcard.
        #expect(key.allows(model: "o\u{600}x") && key.allows(model: "o\u{600}") && !key.allows(model: "ox"))
    }

    @Test func patternsEndInASeparateStar() {
        var table = ModelTable()
        let upstream = Upstream(
            UpstreamDefinition(
                name: "u", baseURL: BaseURL(endpoint: .tcp(host: "h", port: 80), pathPrefix: ""), credential: nil,
                transport: PlannedTransport(.json("{}"))))
        table.add("o\u{600}*", .plain(upstream))
        #expect(table.names.isEmpty && table.route(of: "o\u{600}x") != nil)
    }

    /// The Kelvin sign is canonically equivalent to `K`, and its lowercase form is `k`.
    @Test func hostsAndOriginsAreReadByTheirBytes() async {
        let rules = OriginRules(
            allowedHosts: [AllowedHost(host: "kimi.lan", port: .any)], allowedOrigins: ["app://Kimi"],
            publicURL: PublicURL(scheme: "https", authority: "kimi.example"))
        func status(_ host: String, _ origin: String? = nil) async -> Int? {
            await Exchange(
                OriginGuardMiddleware(rules: rules), authority: host, fields: origin.map { [.origin: $0] } ?? [:]
            ).status
        }
        #expect(await status("\u{212A}imi.lan") == 421)
        #expect(await status("\u{212A}imi.example") == 421)
        #expect(await status("127.0.0.1:8686", "app://\u{212A}imi") == 403)
        #expect(await status("127.0.0.1:8686", "app://Kimi") == 200)
        #expect(await status("KIMI.lan", "http://KIMI.lan") == 200)
        #expect(await status("KIMI.lan", "http://\u{212A}IMI.lan") == 403)
    }

    @Test func pageOfAnotherOriginGetsNoCORSHeaders() {
        let policy = CrossOriginPolicy(allowedOrigins: ["app://Kimi"])
        func origin(_ text: String) -> String? {
            policy.origin(
                of: RequestHead(
                    HTTPRequest(
                        method: .get, scheme: "http", authority: "h", path: "/", headerFields: [.origin: text])))
        }
        #expect(origin("app://Kimi") == "app://Kimi" && origin("app://\u{212A}imi") == nil)
    }
}
