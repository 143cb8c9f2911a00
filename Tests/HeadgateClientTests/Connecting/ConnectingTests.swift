import HTTPTypes
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateClient

@Suite struct ConnectingTests {
    @Test(arguments: [
        ("http://127.0.0.1:8686/v1", BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 8686), pathPrefix: "/v1")),
        ("http://127.0.0.1:8686", BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 8686), pathPrefix: "/v1")),
        ("HTTPS://example.com/", BaseURL(endpoint: .tls(host: "example.com", port: 443), pathPrefix: "/v1")),
        ("http://[::1]:80/api/v4/", BaseURL(endpoint: .tcp(host: "::1", port: 80), pathPrefix: "/api/v4")),
        ("https://[::1]", BaseURL(endpoint: .tls(host: "::1", port: 443), pathPrefix: "/v1")),
    ])
    func baseURLIsRead(text: String, expected: BaseURL) throws {
        #expect(try BaseURL(text) == expected)
    }

    @Test func callerChoosesThePathOfAURLWithoutOne() throws {
        #expect(try BaseURL("https://a/", pathIfNone: "").pathPrefix.isEmpty)
        #expect(try BaseURL("https://a", pathIfNone: "/api/v3").pathPrefix == "/api/v3")
        #expect(try BaseURL("https://a/v1", pathIfNone: "").pathPrefix == "/v1")
        #expect(try BaseURL("https://a", pathIfNone: "/api/v3//").pathPrefix == "/api/v3")
        #expect(try BaseURL("https://a", pathIfNone: "/").pathPrefix.isEmpty)
    }

    @Test(arguments: ["v1", "@other.example", ".other.example/v1", "/v1?a", "/v1#a", "/v 1", "/v1\r\nx: y", "/ä"])
    func invalidAddedPathIsRefused(path: String) {
        #expect { _ = try BaseURL("https://a", pathIfNone: path) } throws: { error in
            (error as? HeadgateClientError)?.kind == "invalidURL"
        }
    }

    @Test(arguments: [
        "", "127.0.0.1:8686", "ftp://a", "http://", "http://:80", "http://a:", "http://a:0", "http://a:65536",
        "http://a:+1",
        "http://a b", "http://ä", "http://a?x", "http://a#x", "http://[::1", "http://[::1]x", "http://user:secret@a/",
    ])
    func badBaseURLIsRefusedWithItsReason(text: String) {
        do {
            _ = try BaseURL(text)
            Issue.record("no error")
        } catch HeadgateClientError.invalidURL(let quoted, let reason) {
            #expect(!reason.isEmpty)
            #expect(!quoted.contains("secret"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func requestGoesBelowTheBaseURL() async throws {
        for (base, path) in [
            ("http://a:1", "/v1/models"), ("http://a:1/v1/", "/v1/models"), ("http://a:1/openai", "/openai/models"),
        ] {
            let transport = InMemoryTransport(.json(#"{"object":"list","data":[]}"#))
            _ = try await HeadgateClient(baseURL: base, transport: transport).models.list()
            #expect(transport.received.first?.request.path == path)
            #expect(transport.received.first?.request.authority == "a:1")
        }
    }

    @Test func nextServerIsTriedIfOneIsUnreachable() async throws {
        let models = PlannedResponse.json(#"{"object":"list","data":[]}"#)
        let transport = InMemoryTransport(.failing(.connect), models, models)
        let servers = [try BaseURL("http://a:1/x"), try BaseURL("https://b")]
        let client = HeadgateClient(servers: servers, apiKey: "k", transport: transport)
        _ = try await client.models.list()
        _ = try await client.models.list()
        #expect(transport.received.map { $0.request.authority ?? "" } == ["a:1", "b", "b"])
        #expect(transport.received.map(\.server) == [servers[0], servers[1], servers[1]])
        #expect(transport.received.map { $0.request.path ?? "" } == ["/x/models", "/v1/models", "/v1/models"])
    }

    @Test func requestThatMightHaveArrivedIsNotSentTwice() async throws {
        let transport = InMemoryTransport(.failing(.closedBeforeResponse))
        let client = HeadgateClient(servers: [try BaseURL("http://a"), try BaseURL("http://b")], transport: transport)
        await #expect(throws: HeadgateClientError.self) { _ = try await client.models.list() }
        #expect(transport.received.count == 1)
    }

    @Test func everyServerIsTriedOnce() async throws {
        let transport = InMemoryTransport(.failing(.connect))
        let client = HeadgateClient(servers: [try BaseURL("http://a"), try BaseURL("http://b")], transport: transport)
        await #expect(throws: HeadgateClientError.self) { _ = try await client.models.list() }
        #expect(transport.received.count == 2)
    }

    @Test func keyAndTheHeadersOfTheFactoryAreOnEveryRequest() async throws {
        let transport = InMemoryTransport(.json(#"{"object":"list","data":[]}"#))
        let client = try HeadgateClient(
            apiKey: "hg-secret", transport: transport,
            middlewares: [HeaderInjection(AppHeaders(appOS: "iOS", clientID: "app-1"))])
        _ = try await client.models.list()
        let fields = try #require(transport.received.first).request.headerFields
        #expect(fields[.authorization] == "Bearer hg-secret")
        #expect(fields[HTTPField.Name("App-OS")!] == "iOS")
        #expect(fields[HTTPField.Name("Client-Id")!] == "app-1")
    }

    @Test func factoryIsCalledForEachRequest() async throws {
        struct Counting: HeaderFactory {
            let count = Locked(0)
            func headers(for _: HTTPRequest) -> HTTPFields {
                [
                    .clientID: count.withLock { count in
                        count += 1
                        return "\(count)"
                    }
                ]
            }
        }
        let transport = InMemoryTransport(.json(#"{"object":"list","data":[]}"#))
        let client = try HeadgateClient(transport: transport, middlewares: [HeaderInjection(Counting())])
        for _ in 1...2 { _ = try await client.models.list() }
        #expect(transport.received.map { $0.request.headerFields[.clientID] } == ["1", "2"])
    }

    @Test func noDescriptionContainsTheKey() throws {
        let client = try HeadgateClient(apiKey: "hg-secret", transport: InMemoryTransport(.json("{}")))
        var dumped = ""
        dump(client, to: &dumped)
        #expect(!dumped.contains("hg-secret"))
        #expect(!"\(client)".contains("hg-secret"))
        #expect(!String(reflecting: client).contains("hg-secret"))
    }

    /// Middleware that records each pass, on the way out and back.
    private struct Noting: ClientMiddleware {
        let name: String
        let notes: Locked<[String]>

        func intercept(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String, next: ClientSend
        ) async throws -> (HTTPResponse, HTTPBody?) {
            let name = name
            notes.withLock { $0.append("\(name) \(operationID)") }
            let response = try await next(request, body, baseURL)
            let status = response.0.status.code
            notes.withLock { $0.append("\(name) \(status)") }
            return response
        }
    }

    @Test func middlewareIsPassedInOrderAndSeesFailedResponses() async throws {
        let notes = Locked<[String]>([])
        let client = try HeadgateClient(
            transport: InMemoryTransport(.json("{}", status: 503)),
            middlewares: [Noting(name: "a", notes: notes), Noting(name: "b", notes: notes)])
        await #expect(throws: HeadgateClientError.self) { _ = try await client.models.list() }
        #expect(notes.withLock { $0 } == ["a listModels", "b listModels", "b 503", "a 503"])
    }
}
