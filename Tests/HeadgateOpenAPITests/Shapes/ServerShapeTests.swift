import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

/// Behavior that generated servers share with those of Swift OpenAPI Generator.
@Suite struct ServerShapeTests {
    private final class Table: ServerTransport {
        nonisolated(unsafe) var handler: OperationHandler?

        func register(
            _ handler: @escaping OperationHandler, method _: HTTPRequest.Method, path _: String, operationID _: String
        ) throws {
            self.handler = handler
        }

        func answer(_ path: String = "/") async throws -> (HTTPResponse, HTTPBody?) {
            let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1")
            let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), context: NoContext())
            let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
            let handler = try #require(handler)
            return try await handler(request, nil, metadata)
        }
    }

    private enum Problem: Error, HTTPResponseConvertible {
        case gone
        case inWords

        var httpStatus: HTTPResponse.Status { .gone }
        var httpBody: HTTPBody? { if case .inWords = self { "it is gone" } else { nil } }
        var httpHeaderFields: HTTPFields { if case .inWords = self { [.contentType: "text/plain"] } else { [:] } }
    }

    private func table(
        _ middlewares: [any ServerMiddleware] = [], _ configuration: Configuration? = nil,
        _ handler: @escaping OperationHandler
    ) throws -> Table {
        let table = Table()
        let operation = APIOperation(id: "o", method: .get, path: "/", responseContentTypes: [])
        try table.register(
            operation, serverURL: nil, configuration: configuration, middlewares: middlewares, handler)
        return table
    }

    @Test func responseErrorIsSentAsTheResponse() async throws {
        let bare = try await table([ErrorHandlingMiddleware()]) { _, _, _ in throw Problem.gone }.answer()
        #expect(bare.0.status == .gone && bare.1 == nil && bare.0.headerFields.isEmpty)
        let (response, body) = try await table([ErrorHandlingMiddleware()]) { _, _, _ in throw Problem.inWords }
            .answer()
        #expect(response.headerFields[.contentType] == "text/plain")
        #expect(try await String(collecting: #require(body), upTo: 100) == "it is gone")
    }

    @Test func otherErrorIsPassedOnWithItsOperation() async throws {
        let table = try table([ErrorHandlingMiddleware()]) { _, _, _ in throw RequestViolation.missingBody }
        let error = await #expect(throws: ServerError.self) { _ = try await table.answer("/a") }
        #expect(error?.operationID == "o" && error?.request.path == "/a")
        #expect(error?.underlyingError as? RequestViolation == .missingBody)
    }

    @Test func datesAreReadAndWrittenAsTheConfigurationSays() async throws {
        let configuration = Configuration(dateTranscoder: .iso8601WithFractionalSeconds)
        let table = try table([], configuration) { request, body, metadata in
            let date: Date = try IncomingRequest(request, body, metadata).requiredQuery("d")
            return try OutgoingResponse(status: 200).json([date])
        }
        let (_, body) = try await table.answer("/?d=1970-01-01T00:00:01Z")
        #expect(try await String(collecting: #require(body), upTo: 100) == #"["1970-01-01T00:00:01.000Z"]"#)
    }
}
