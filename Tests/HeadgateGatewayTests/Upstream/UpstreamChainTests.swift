import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// The chain around a transport: header factory, header injection, auth injection.
@Suite struct UpstreamChainTests {
    private func sent(credential: String?, headers: [HeaderConfiguration] = []) async throws -> HTTPFields {
        let transport = PlannedTransport(.json("{}"))
        let upstream = Upstream(
            UpstreamDefinition(
                name: "up", baseURL: BaseURL(endpoint: .tcp(host: "h", port: 8080), pathPrefix: "/v1"),
                credential: credential.map { Secret($0) }, headers: headers, transport: transport))
        let head = upstream.head(.post, path: "/x", fields: [.accept: "a/b"])
        _ = upstream.send(UpstreamRequest(head, body: [1], operationID: "createChatCompletion")) { _ in }
        let last = try #require(transport.requests.last)
        #expect(transport.requests.count == 1)
        #expect(last.operationID == "createChatCompletion")
        #expect(last.authority == "h:8080")
        #expect(last.head.headerFields[.accept] == "a/b")
        return last.head.headerFields
    }

    private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

    @Test func transportGetsTheRealKeyAndTheClientHeaders() async throws {
        let fields = try await sent(credential: "sk-real")
        #expect(fields[.authorization] == "Bearer sk-real")
        #expect(fields[try name("Client-Id")] == "headgate")
        #expect(["linux", "macos"].contains(fields[try name("App-OS")]))
    }

    @Test func withoutAKeyThereIsNone() async throws {
        #expect(try await sent(credential: nil)[.authorization] == nil)
    }

    @Test func configuredHeadersOverrideTheFactorys() async throws {
        let headers = [
            HeaderConfiguration(name: "client-id", value: "mine"), HeaderConfiguration(name: "X-Team", value: "a b"),
            HeaderConfiguration(name: "User-Agent", value: "other"),
        ]
        let fields = try await sent(credential: "k", headers: headers)
        #expect(fields[values: try name("Client-Id")] == ["mine"])
        #expect(fields[try name("X-Team")] == "a b")
        #expect(fields[values: .userAgent] == ["other"])
    }

    @Test func factoryMakesTheSameFieldsEachTime() throws {
        let factory = HeaderFactory(configured: [
            HeaderConfiguration(name: "A", value: "1"), HeaderConfiguration(name: "a", value: "2"),
        ])
        #expect(factory.makeFields() == factory.makeFields())
        #expect(factory.makeFields()[values: try name("A")] == ["2"])
        #expect(
            HeaderFactory(configured: [HeaderConfiguration(name: "not a name", value: "1")]).makeFields().count == 2)
    }

    /// Conversations of earlier versions hold these marks.
    @Test(arguments: [
        (BaseURL.Endpoint.tls(host: "api.openai.com", port: 443), "/v1", "9a2aa56c"),
        (.tcp(host: "127.0.0.1", port: 9), "/v1", "a8b224d3"), (.unix(path: "/run/a.sock"), "", "d5c0b7bb"),
    ])
    func markOfAProviderNeverChanges(_ endpoint: BaseURL.Endpoint, _ prefix: String, _ mark: String) {
        let upstream = Upstream(
            UpstreamDefinition(
                name: "up", baseURL: BaseURL(endpoint: endpoint, pathPrefix: prefix), credential: nil,
                transport: PlannedTransport(.json("{}"))))
        #expect(upstream.provider == mark)
    }
}
