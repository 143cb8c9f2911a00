import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateRelay

/// Paths and headers that are passed through.
@Suite struct PassthroughTargetTests {
    @Test(arguments: [
        ("openai/files", "/files", ""), ("openai/", "/", ""), ("openai/files/", "/files/", ""),
        ("openai/files/a%20b.txt/content?limit=2&after=x", "/files/a%20b.txt/content", "limit=2&after=x"),
        ("openai/files?key=AIza&limit=2", "/files", "limit=2"), ("openai/files?api_key=a", "/files", ""),
        ("openai/files?API-Key=a&b", "/files", "b"), ("openai/files?a=1;key=b&c", "/files", "c"),
        ("openai/files?%6Bey=a", "/files", ""), ("openai/files?access_token=a&pageToken=p", "/files", "pageToken=p"),
        ("openai/files?x=%2e%2e%2f", "/files", "x=%2e%2e%2f"), ("openai/.a", "/.a", ""),
    ])
    func pathBelowTheUpstreamIsPreserved(_ target: String, _ path: String, _ query: String) throws {
        let found = try PassthroughTarget("/upstream/" + target)
        #expect(found.upstream == "openai" && found.path == path && found.query == query)
    }

    @Test(arguments: [
        "openai", "", "openai//files", "openai//host/files", "openai/files//a", "openai/..", "openai/../x", "openai/.",
        "openai/a/../b", "openai/%2e%2e/x", "openai/%2E%2e", "openai/.%2e/x", "openai/a%2fb", "openai/a%2Fb",
        "openai/a%5cb", "openai/a\\b", "openai/%252e%252e/x", "openai/a%00", "openai/a%0d%0ab", "openai/a%",
        "openai/a%2",
        "openai/..;/x", "openai/%2e%2e;a=b/x", "openai/;x", "openai/a#b", "openai/a%23b", "openai/a%3fb",
        "openai/files?a#b", "openai/files?%zz=1", "openai/...",
    ])
    func ambiguousPathIsRefused(_ target: String) {
        let error = #expect(throws: GatewayError.self) { try PassthroughTarget("/upstream/" + target) }
        #expect(error?.status == 400 && error?.code == "invalid_path")
    }

    @Test func credentialsAndConnectionHeadersAreNotForwarded() {
        var fields: HTTPFields = [
            .authorization: "Bearer client", .cookie: "a=b", .proxyAuthorization: "x", .contentType: "text/csv",
            .range: "bytes=0-9", .origin: "http://a", .referer: "http://a", .acceptEncoding: "br", .te: "trailers",
            .connection: "close, X-Hop", .userAgent: "sdk", .contentEncoding: "gzip",
        ]
        for name in [
            "x-api-key", "api-key", "x-goog-api-key", "X-Hop", "x-auth-token", "x-amz-security-token",
            "x-forwarded-for",
            "x-headgate-fault", "OpenAI-Organization", "anthropic-workspace-id", "sec-fetch-mode", "keep-alive",
            "upgrade",
            "proxy-connection", "x-session-id", "x-goog-signature", "X-Original-URL", "x-rewrite-url",
        ] { fields[HTTPField.Name(name)!] = "1" }
        fields[HTTPField.Name("Idempotency-Key")!] = "k"
        fields[HTTPField.Name("OpenAI-Beta")!] = "b"
        let kept = PassthroughFields.request(
            RequestHead(
                HTTPRequest(
                    method: .get, scheme: nil, authority: nil, path: "/", headerFields: fields)
            ).fields)
        #expect(
            Set(kept.map(\.name.canonicalName)) == [
                "content-type", "range", "user-agent", "content-encoding", "idempotency-key", "openai-beta",
            ])
    }

    @Test func responseCannotSetStateForTheGatewaysOrigin() {
        var fields: HTTPFields = [
            .contentType: "text/event-stream; charset=utf-8", .setCookie: "a=b", .contentLength: "3", .eTag: "e",
            .contentDisposition: "attachment", .contentEncoding: "gzip", .connection: "X-Hop", .location: "/v1/files/a",
            .accessControlAllowOrigin: "*", .strictTransportSecurity: "max-age=1", .wwwAuthenticate: "Basic",
            .contentSecurityPolicy: "default-src *",
        ]
        for name in ["X-Hop", "alt-svc", "x-request-id", "Clear-Site-Data", "X-Accel-Redirect", "x-sendfile"] {
            fields[HTTPField.Name(name)!] = "1"
        }
        let kept = PassthroughFields.response(ResponseHead(HTTPResponse(status: .ok, headerFields: fields)))
        #expect(
            Set(kept.map(\.name.canonicalName)) == [
                "content-type", "etag", "content-disposition", "location", "content-security-policy",
                "x-content-type-options",
            ])
        #expect(kept[.contentSecurityPolicy] == "sandbox")
        // The gateway's own streams get heartbeats and a last event, which would corrupt passed-through streams.
        #expect(kept[.contentType] == "text/event-stream;charset=utf-8")
    }
}
