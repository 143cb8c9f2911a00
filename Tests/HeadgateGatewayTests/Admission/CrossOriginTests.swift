import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests from pages of other origins, allowed and refused.
@Suite struct CrossOriginTests {
    private static let page = "https://app.example"

    private let running = InProcessGateway(
        transport: PlannedTransport(.json("{}")), upstreams: [], models: [], keys: InProcessGateway.keys,
        origins: OriginRules(allowedOrigins: [page, "http://localhost:3000"]))

    private func preflight(_ path: String, origin: String = page, method: String = "POST") async
        -> InProcessGateway.Response
    {
        await running.ask(
            .options, path, key: nil, headerFields: [.origin: origin, .accessControlRequestMethod: method])
    }

    @Test(arguments: RelayRoute.all) func allowedPageCanUseEveryRoute(_ route: RelayRoute) async {
        for path in ["/v1" + route.path, route.path + "?beta=true"] {
            let answer = await preflight(path)
            #expect(answer.status == 204 && answer.text.isEmpty)
            #expect(answer.headerFields[.accessControlAllowOrigin] == CrossOriginTests.page)
            #expect(answer.headerFields[.accessControlAllowMethods] == "POST, OPTIONS")
            #expect(answer.headerFields[.accessControlMaxAge] == "600")
            #expect(answer.headerFields[.vary] == "Origin")
            #expect(answer.headerFields[.accessControlAllowCredentials] == nil)
        }
    }

    @Test func everyFieldThatSDKsSendFromAPageIsAllowed() async throws {
        let allowed = try #require(await preflight("/v1/messages").headerFields[.accessControlAllowHeaders])
        let names = Set(allowed.lowercased().split(separator: ",").map { $0.filter { $0 != " " } })
        for name in [
            "authorization", "content-type", "x-api-key", "anthropic-version", "anthropic-beta",
            "anthropic-dangerous-direct-browser-access", "openai-beta", "openai-organization", "openai-project",
            "x-stainless-lang", "x-stainless-retry-count", "x-stainless-timeout", "x-stainless-helper-method",
            "x-request-id", "x-client-request-id", "idempotency-key", "app-os", "client-id", "x-headgate-explain",
        ] {
            #expect(names.contains(name), "\(name)")
        }
        #expect(!allowed.contains("*"))
    }

    @Test(arguments: [
        ("x-obsidian, x-custom-1", "x-obsidian, x-custom-1"), ("Authorization,x-a", "Authorization, x-a"),
        ("x a", nil), ("x-a,,x-b", nil), ("x\u{e9}", nil), (String(repeating: "a", count: 4097), nil),
    ])
    func pageCanSendTheRequestedHeaders(_ asked: String, _ allowed: String?) async {
        let answer = await running.ask(
            .options, "/v1/messages", key: nil,
            headerFields: [
                .origin: CrossOriginTests.page, .accessControlRequestMethod: "POST",
                .accessControlRequestHeaders: asked,
            ])
        let fields = answer.headerFields[.accessControlAllowHeaders] ?? ""
        if let allowed { #expect(fields == allowed) } else { #expect(fields.hasPrefix("Authorization, Content-Type")) }
    }

    @Test func publicPageCanRequestAPrivateAddress() async throws {
        let request = try #require(HTTPField.Name("Access-Control-Request-Private-Network"))
        let allow = try #require(HTTPField.Name("Access-Control-Allow-Private-Network"))
        var fields: HTTPFields = [.origin: CrossOriginTests.page, .accessControlRequestMethod: "POST"]
        #expect(await running.ask(.options, "/v1/models", key: nil, headerFields: fields).headerFields[allow] == nil)
        fields[request] = "true"
        #expect(await running.ask(.options, "/v1/models", key: nil, headerFields: fields).headerFields[allow] == "true")
    }

    @Test func methodsAreThoseOfTheRoute() async {
        let stored = await preflight("/v1/responses/resp_1", method: "DELETE").headerFields
        #expect(stored[.accessControlAllowMethods] == "GET, DELETE, HEAD, OPTIONS")
        #expect(await preflight("/v1/models").headerFields[.accessControlAllowMethods] == "GET, HEAD, OPTIONS")
    }

    @Test(arguments: [
        "https://evil.example", "http://app.example", "https://app.example:444", "https://app.example.evil", "null",
        "HTTPS://APP.EXAMPLE", "*", "",
    ])
    func otherPagesGetNoCORSHeaders(_ origin: String) async {
        for answer in [
            await preflight("/v1/messages", origin: origin), await preflight("/livez", origin: origin),
            await running.ask(.get, "/v1/models", headerFields: [.origin: origin]),
        ] {
            #expect(answer.status == 403)
            #expect(!answer.headerFields.contains { $0.name.canonicalName.hasPrefix("access-control") })
        }
    }

    @Test func allowedPageCanReadAllResponsesAndErrors() async {
        for (method, path, key): (HTTPRequest.Method, String, String?) in [
            (.get, "/v1/models", InProcessGateway.clientKey), (.get, "/v1/models", nil), (.get, "/nothing", nil),
            (.put, "/v1/models", nil), (.post, "/v1/messages", "wrong"), (.get, "/livez", nil),
        ] {
            let answer = await running.ask(method, path, key: key, headerFields: [.origin: "http://localhost:3000"])
            #expect(answer.headerFields[.accessControlAllowOrigin] == "http://localhost:3000", "\(method) \(path)")
            #expect(answer.headerFields[.vary] == "Origin")
            let exposed = answer.headerFields[.accessControlExposeHeaders]?.lowercased() ?? ""
            for name in [
                "x-request-id", "request-id", "retry-after", "retry-after-ms", "x-should-retry", "x-headgate-upstream",
                "x-headgate-attempts", "x-headgate-degraded",
            ] {
                #expect(exposed.contains(name))
            }
        }
    }

    @Test func requestWithoutAnOriginGetsNoCORSHeaders() async {
        let answer = await running.ask(.get, "/v1/models")
        #expect(answer.status == 200 && answer.headerFields[.vary] == nil)
        #expect(!answer.headerFields.contains { $0.name.canonicalName.hasPrefix("access-control") })
        let plain = await running.ask(.options, "/v1/models", headerFields: [.origin: CrossOriginTests.page])
        #expect(plain.status == 204 && plain.headerFields[.allow] == "GET, HEAD, OPTIONS")
        #expect(plain.headerFields[.accessControlAllowMethods] == nil)
    }
}
