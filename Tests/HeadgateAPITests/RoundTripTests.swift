import Foundation
import HTTPTypes
import HeadgateAPI
import HeadgateContract
import HeadgateHTTP
import Testing

/// A client against a server without sockets, message by message.
@Suite struct RoundTripTests {
    private static let serverURL = BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 8686), pathPrefix: "")

    private func client(of server: InMemoryServer, at url: BaseURL = serverURL) -> Client {
        Client(serverURL: url, transport: server)
    }

    @Test func ownedAnswerIsTyped() async throws {
        var gateway = StubGateway()
        gateway.onRetrieveModel = { input in
            #expect(input.path.model == "org/a model?")
            #expect(input.headers.anthropicVersion == nil)
            let model = Components.Schemas.Model(id: input.path.model, created: 7, ownedBy: "on-device")
            return .ok(.init(headers: .init(xRequestId: "r1"), body: .json(.model(model))))
        }
        let server = try InMemoryServer(gateway)
        let output = try await client(of: server).retrieveModel(.init(path: .init(model: "org/a model?")))
        #expect(try output.ok.headers.xRequestId == "r1")
        guard case .model(let model) = try output.ok.body.json else { throw StubGateway.NotServed() }
        #expect(model == Components.Schemas.Model(id: "org/a model?", object: .model, created: 7, ownedBy: "on-device"))
        let request = try #require(server.received.first)
        #expect(request.path == "/v1/models/org%2Fa%20model%3F")
        #expect(request.authority == "127.0.0.1:8686")
        #expect(request.headerFields == [.accept: "application/json"])
    }

    @Test func choiceIsTheMatchingForm() async throws {
        var gateway = StubGateway()
        gateway.onListModels = { input in
            guard input.headers.anthropicVersion == "2023-06-01" else {
                return .ok(.init(body: .json(.modelList(.init(data: [])))))
            }
            let model = Components.Schemas.AnthropicModel(
                id: "a", displayName: "a", createdAt: "2025-01-01T00:00:00Z", lifecycle: "active")
            return .ok(.init(body: .json(.anthropicModelList(.init(data: [model], hasMore: false, firstId: "a")))))
        }
        let client = try client(of: InMemoryServer(gateway))
        #expect(try await client.listModels(.init()).ok.body.json == .modelList(.init(data: [])))
        let other = try await client.listModels(.init(headers: .init(anthropicVersion: "2023-06-01")))
        guard case .anthropicModelList(let list) = try other.ok.body.json else { throw StubGateway.NotServed() }
        #expect(list.data.map(\.id) == ["a"])
        #expect(list.lastId == nil)
    }

    @Test func requiredNullIsWritten() async throws {
        var gateway = StubGateway()
        gateway.onChat = { _ in
            let error = Components.Schemas.ErrorDetail(message: "/no", type: "invalid_request_error")
            return .badRequest(.init(body: .json(.init(error: error))))
        }
        let (response, body) = try await InMemoryServer(gateway).answer(
            HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/chat/completions"), .bytes([]))
        #expect(response.status == .badRequest)
        #expect(response.headerFields == [.contentType: "application/json"])
        let bytes = try #require(try await body?.collect(upTo: 1 << 10))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"error":{"code":null,"message":"/no","param":null,"type":"invalid_request_error"}}"#)
    }

    @Test func relayedBytesArriveUnchanged() async throws {
        let question = Array(#"{ "model":"m","new":1e400 }"#.utf8)
        let answer = Array("data: {}\n\n".utf8)
        var gateway = StubGateway()
        gateway.onChat = { input in
            guard case .json(.bytes(question)) = input.body else { throw StubGateway.NotServed() }
            let fields: HTTPFields = [.contentType: "Text/Event-Stream; charset=utf-8", .retryAfter: "1"]
            return .undocumented(statusCode: 200, .init(headerFields: fields, body: .bytes(answer)))
        }
        let server = try InMemoryServer(gateway)
        let output = try await client(of: server).createChatCompletion(.init(body: .json(.bytes(question))))
        #expect(try await output.ok.body.textEventStream.collect(upTo: 100) == answer)
        #expect(throws: UnexpectedResponse.body(expected: "json")) { _ = try output.ok.body.json }
        #expect(throws: UnexpectedResponse.status(200, expected: "badRequest")) { _ = try output.badRequest }
        let fields = try #require(server.received.first).headerFields
        let accepted = "text/event-stream, application/vnd.headgate.explanation+json, application/json"
        #expect(fields == [.accept: accepted, .contentType: "application/json"])
    }

    @Test func mediaTypeOfAWildcardIsPreserved() async throws {
        var gateway = StubGateway()
        gateway.onSpeech = { _ in .ok(.init(body: .audio(.bytes([1]), contentType: "audio/mpeg"))) }
        let output = try await client(of: InMemoryServer(gateway)).createSpeech(.init(body: .json(.bytes([]))))
        guard case .audio(.bytes([1]), "audio/mpeg") = try output.ok.body else { throw StubGateway.NotServed() }
    }

    @Test func formKeepsItsBoundary() async throws {
        var gateway = StubGateway()
        gateway.onTranscription = { input in
            guard case .multipartForm(.bytes(let bytes), let boundary) = input.body else {
                throw StubGateway.NotServed()
            }
            return .ok(.init(body: .plainText(.bytes(bytes + Array(boundary.utf8)))))
        }
        let form = Operations.CreateTranscription.Input(body: .multipartForm(.bytes([0x61]), boundary: "a=b"))
        let output = try await client(of: InMemoryServer(gateway)).createTranscription(form)
        #expect(try await output.ok.body.plainText.collect(upTo: 100) == Array("aa=b".utf8))
    }

    @Test func otherStatusIsTheDefault() async throws {
        var gateway = StubGateway()
        gateway.onChat = { _ in
            let error = Components.Schemas.ErrorDetail(message: "a", type: "b", code: "c")
            return .default(statusCode: 529, .init(body: .json(.init(error: error))))
        }
        let output = try await client(of: InMemoryServer(gateway)).createChatCompletion(.init(body: .json(.bytes([]))))
        #expect(output.statusCode == 529)
        #expect(try output.default.body.json.error.code == "c")
    }

    @Test func headersOfAnErrorAreTyped() async throws {
        var gateway = StubGateway()
        gateway.onChat = { _ in
            let fields: HTTPFields = [.contentType: "application/json", .retryAfter: "3", .xShouldRetry: "true"]
            let body = Array(#"{"error":{"message":"m","type":"t","param":null,"code":null}}"#.utf8)
            return .undocumented(statusCode: 429, .init(headerFields: fields, body: .bytes(body)))
        }
        let output = try await client(of: InMemoryServer(gateway)).createChatCompletion(.init(body: .json(.bytes([]))))
        #expect(try output.tooManyRequests.headers == .init(retryAfter: 3, xShouldRetry: "true"))
    }

    @Test func unknownMediaTypeIsRefused() async throws {
        var gateway = StubGateway()
        gateway.onChat = { _ in .undocumented(statusCode: 502, .init(headerFields: [.contentType: "text/html"])) }
        let client = try client(of: InMemoryServer(gateway))
        await #expect(throws: UnexpectedResponse.contentType("text/html", status: 502)) {
            _ = try await client.createChatCompletion(.init(body: .json(.bytes([]))))
        }
    }

    @Test func pathOfTheServerComesBeforeTheOperation() async throws {
        let server = try InMemoryServer(StubGateway())
        let url = BaseURL(endpoint: .tcp(host: "a", port: 80), pathPrefix: "/gate")
        _ = try? await client(of: server, at: url)
            .retrieveResponse(.init(path: .init(responseId: "r"), query: .init(stream: true, startingAfter: -1)))
        #expect(server.received.first?.path == "/gate/v1/responses/r?stream=true&starting_after=-1")
        #expect(server.received.first?.authority == "a")
    }

    @Test func embeddedDocumentIsTheFile() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        #expect(
            try String(contentsOf: root.appending(path: "openapi.yaml"), encoding: .utf8) == OpenAPIDocument.yaml)
        let json = try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.json.utf8)) as? [String: Any]
        #expect((json?["paths"] as? [String: Any])?["/livez"] != nil)
    }
}
