import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RoutePathTests {
    @Test(arguments: [
        ("//v1/chat/completions", "/v1/chat/completions"), ("/v1/v1/messages", "/v1/messages"),
        ("/openai/v1/responses?a=//b", "/v1/responses"), ("/api/v1/models/", "/v1/models"),
        ("/v1//v1//openai/v1/models", "/v1/openai/v1/models"), ("/openai/v1/v1/models", "/v1/models"),
        ("/v1/models/a//b", "/v1/models/a/b"), ("///", "/"), ("/v1/v1", "/v1"),
    ])
    func pathsHaveOneForm(_ target: String, _ path: String) {
        #expect(canonical(target) == path)
    }

    @Test(arguments: ["/", "/v1/models", "/v1/models?x=/", "/api/chat", "/openai/v1x", "/v1/v1x", "*", ""])
    func usualFormStays(_ target: String) {
        #expect(canonical(target) == nil)
    }

    private func canonical(_ target: String) -> String? {
        Array(target.utf8).withUnsafeBytes(RoutePath.canonical).map { String(decoding: $0, as: UTF8.self) }
    }
}
