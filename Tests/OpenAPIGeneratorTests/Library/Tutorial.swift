@testable import OpenAPIGenerator

/// A client and a server in the style of Swift OpenAPI Generator's users.
enum Tutorial {
    static let document = """
        openapi: 3.1.0
        info: {title: GreetingService, version: 1.0.0}
        servers:
          - {url: "https://example.com/api", description: Production.}
          - {url: "http://localhost:8080/api", description: Local.}
        paths:
          /greet:
            get:
              operationId: welcomeMessage
              parameters: [{name: name, in: query, schema: {type: string}}]
              responses:
                "200":
                  description: A greeting.
                  content: {application/json: {schema: {$ref: "#/components/schemas/Greeting"}}}
          /logs:
            post:
              operationId: uploadLog
              requestBody:
                required: true
                content:
                  multipart/form-data:
                    encoding: {log: {headers: {x-log-type: {schema: {type: string}}}}}
                    schema:
                      type: object
                      required: [log]
                      properties:
                        log: {type: string}
                        metadata: {$ref: "#/components/schemas/Greeting"}
                        keyword: {type: array, items: {type: string}}
              responses: {"202": {description: It was taken.}}
        components:
          schemas:
            Greeting: {type: object, required: [message], properties: {message: {type: string}}}
        """

    static let user = GeneratedFile(
        path: "User.swift",
        text: """
            import Foundation
            import HeadgateOpenAPI

            struct Handler: APIProtocol {
                func welcomeMessage(
                    _ input: Operations.welcomeMessage.Input
                ) async throws -> Operations.welcomeMessage.Output {
                    let name = input.query.name ?? "Stranger"
                    let greeting = Components.Schemas.Greeting(message: "Hello, \\(name)!")
                    return .ok(.init(body: .json(greeting)))
                }
            }

            extension Handler {
                func uploadLog(_ input: Operations.uploadLog.Input) async throws -> Operations.uploadLog.Output {
                    let multipartBody: MultipartBody<Operations.uploadLog.Input.Body.multipartFormPayload>
                    switch input.body {
                    case .multipartForm(let form): multipartBody = form
                    }
                    for try await part in multipartBody {
                        switch part {
                        case .log(let log):
                            print(log.filename ?? "", log.payload.headers.x_hyphen_log_hyphen_type ?? "")
                            for try await chunk in log.payload.body { print(chunk.count) }
                        case .metadata(let metadata): print(metadata.payload.body.message)
                        case .keyword(let keyword):
                            print(try await String(collecting: keyword.payload.body, upTo: 1024))
                        case .undocumented(let part): print(part.name ?? "", part.headerFields)
                        }
                    }
                    return .accepted(.init())
                }
            }

            struct GreetingClient {
                let client: any APIProtocol

                init(transport: any ClientTransport, middlewares: [any ClientMiddleware]) throws {
                    client = Client(
                        serverURL: try Servers.server1(), transport: transport, middlewares: middlewares)
                }

                init(url: URL, transport: any ClientTransport) {
                    client = Client(
                        serverURL: url, configuration: .init(dateTranscoder: .iso8601WithFractionalSeconds),
                        transport: transport,
                        middlewares: [AuthenticationMiddleware(bearerToken: "token"), LoggingMiddleware()])
                }

                func greeting(name: String?) async throws -> String {
                    let response = try await client.welcomeMessage(
                        Operations.welcomeMessage.Input(query: .init(name: name)))
                    switch response {
                    case .ok(let okResponse):
                        switch okResponse.body {
                        case .json(let greeting): return greeting.message
                        }
                    case .undocumented(statusCode: let statusCode, _): return "failed with \\(statusCode)"
                    }
                }

                func exactly() async throws -> String {
                    let accept: [AcceptHeaderContentType<Operations.welcomeMessage.AcceptableContentType>] = [
                        .init(contentType: .json, quality: 0.8)
                    ]
                    let input = Operations.welcomeMessage.Input(query: .init(name: "A"), headers: .init(accept: accept))
                    return try await client.welcomeMessage(input).ok.body.json.message
                }

                func upload() async throws {
                    let multipartBody: MultipartBody<Operations.uploadLog.Input.Body.multipartFormPayload> = [
                        .log(.init(payload: .init(headers: .init(x_hyphen_log_hyphen_type: "a"), body: "one line"))),
                        .metadata(.init(payload: .init(body: .init(message: "text")), filename: "metadata.json")),
                        .keyword(.init(payload: .init(body: "fun"))),
                        .undocumented(.init(name: "foo", filename: nil, headerFields: [:], body: "bar")),
                    ]
                    _ = try await client.uploadLog(body: .multipartForm(multipartBody)).accepted
                }

                func short() async throws -> String {
                    do {
                        return try await client.welcomeMessage(query: .init(name: "CLI")).ok.body.json.message
                    } catch let error as ClientError {
                        return "\\(error.operationID) \\(error.response?.status.code ?? 0): \\(error.underlyingError)"
                    }
                }
            }

            package struct AuthenticationMiddleware {
                private let bearerToken: String
                package init(bearerToken: String) { self.bearerToken = bearerToken }
            }

            extension AuthenticationMiddleware: ClientMiddleware {
                package func intercept(
                    _ request: HTTPRequest,
                    body: HTTPBody?,
                    baseURL: URL,
                    operationID: String,
                    next: (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
                ) async throws -> (HTTPResponse, HTTPBody?) {
                    var request = request
                    request.headerFields[.authorization] = "Bearer \\(bearerToken)"
                    return try await next(request, body, baseURL)
                }
            }

            struct LoggingMiddleware: ClientMiddleware {
                func intercept(
                    _ request: HTTPRequest,
                    body: HTTPBody?,
                    baseURL: URL,
                    operationID: String,
                    next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
                ) async throws -> (HTTPResponse, HTTPBody?) {
                    print("\\(operationID) at \\(baseURL.absoluteString)")
                    return try await next(request, body, baseURL)
                }
            }

            enum GreetingError: Error, HTTPResponseConvertible {
                case nobody

                var httpStatus: HTTPResponse.Status { .notFound }
            }

            func register(_ transport: any ServerTransport) throws {
                try Handler().registerHandlers(on: transport)
                try Handler().registerHandlers(on: transport, serverURL: Servers.Server2.url())
                try Handler().registerHandlers(
                    on: transport, serverURL: URL(string: "/api")!, configuration: .init(dateTranscoder: .iso8601),
                    middlewares: [ErrorHandlingMiddleware()])
            }

            """)
}
