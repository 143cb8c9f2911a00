import HTTPTypes
import HeadgateAPI
import HeadgateContract
import HeadgateHTTP
import Testing

@Suite struct RegistrationTests {
    @Test func everyOperationIsRegisteredOnEachOfItsPaths() throws {
        let server = try InMemoryServer(StubGateway())
        let registered = server.registrations.map { "\($0.operationID) \($0.method) \($0.path)" }
        let described = OperationTable.all.flatMap { operation in
            operation.paths.map { "\(operation.id) \(operation.method) \($0)" }
        }
        #expect(registered == described)
        #expect(Set(described).count == described.count)
    }

    @Test func pathsWorkWithAndWithoutTheVersion() {
        #expect(OperationTable.createChatCompletion.paths == ["/v1/chat/completions", "/chat/completions"])
        #expect(OperationTable.getLiveness.paths == ["/livez"])
        #expect(OperationTable.getChatPage.paths == ["/"])
    }

    @Test func descriptionsContainTheMiddlewareSelectors() {
        let chat = OperationTable.createChatCompletion
        #expect(chat.method == .post)
        #expect(chat.authentication == .key)
        #expect(chat.requestBody == .json)
        #expect(chat.relay == .openaiChat)
        #expect(
            chat.responseContentTypes == [
                "application/json", "text/event-stream", "application/vnd.headgate.explanation+json",
            ])
        let health = OperationTable.getHealth
        #expect(health.authentication == .none)
        #expect(health.requestBody == .none)
        #expect(health.relay == nil)
    }

    @Test func handlerSeesTheRequestAndItsMetadata() async throws {
        var gateway = StubGateway()
        gateway.onRetrieveModel = { input in
            let exchange = try #require(input.exchange)
            #expect(exchange.request.path == "/models/a%2Fb")
            exchange.metadata.bodyLimit = 1
            #expect(exchange.metadata.pathParameters == ["model": "a%2Fb"])
            return .undocumented(statusCode: 299, .init(headerFields: [.allow: input.path.model]))
        }
        let (response, body) = try await InMemoryServer(gateway).answer(
            HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/models/a%2Fb"))
        #expect(response.status.code == 299)
        #expect(response.headerFields == [.allow: "a/b"])
        #expect(body.map { _ in true } == nil)
    }

    @Test(arguments: [
        ("/v1/responses/r?stream=yes", "The query parameter 'stream' is not 'true' or 'false'."),
        ("/v1/responses/r?a=1&starting_after=+1", "The query parameter 'starting_after' is not an integer."),
        ("/v1/responses/r?starting_after", "The query parameter 'starting_after' is not an integer."),
        ("/v1/responses/%FF", "The path parameter 'response_id' is not text in percent-encoded UTF-8."),
        ("/v1/responses/%2", "The path parameter 'response_id' is not text in percent-encoded UTF-8."),
        ("/v1/responses/a%00", "The path parameter 'response_id' is not text in percent-encoded UTF-8."),
    ])
    func parameterThatBreaksTheContractIsNamed(path: String, message: String) async throws {
        let server = try InMemoryServer(StubGateway())
        let violation = await #expect(throws: RequestViolation.self) {
            _ = try await server.answer(HTTPRequest(method: .get, scheme: nil, authority: nil, path: path))
        }
        #expect(violation?.description == message)
    }

    @Test func queryIsDecodedAndItsFirstValueCounts() async throws {
        var gateway = StubGateway()
        gateway.onRetrieveResponse = { input in
            #expect(input.query == .init(stream: true, startingAfter: 7))
            throw StubGateway.NotServed()
        }
        let server = try InMemoryServer(gateway)
        await #expect(throws: StubGateway.NotServed.self) {
            let path = "/v1/responses/r?x&%73tream=true&stream=no&starting_after=7&other=+"
            _ = try await server.answer(HTTPRequest(method: .get, scheme: nil, authority: nil, path: path))
        }
    }

    @Test func relayedOperationNeedsABody() async throws {
        let server = try InMemoryServer(StubGateway())
        await #expect(throws: RequestViolation.missingBody) {
            _ = try await server.answer(
                HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/chat/completions"))
        }
    }
}
