import HTTPTypes
import HeadgateHTTP
@_exported import HeadgateServerTransport
import OpenAPIRuntime

/// Runs handlers of swift-openapi-generator on a libevent server.
public struct RuntimeServerTransport: OpenAPIRuntime.ServerTransport {
    private let server: LibeventServer

    /// - Parameter server: A server that has not been started yet.
    public init(_ server: LibeventServer) { self.server = server }

    /// - Throws: `RouteError` if the route is invalid.
    public func register(
        _ handler:
            @Sendable @escaping (
                HTTPRequest, OpenAPIRuntime.HTTPBody?, OpenAPIRuntime.ServerRequestMetadata
            ) async throws -> (HTTPResponse, OpenAPIRuntime.HTTPBody?),
        method: HTTPRequest.Method, path: String
    ) throws {
        try server.register(
            { request, body, metadata in
                let parameters = OpenAPIRuntime.ServerRequestMetadata(
                    pathParameters: metadata.pathParameters.mapValues { $0[...] })
                let (response, answer) = try await handler(request, body.map { .init($0) }, parameters)
                return (response, try await HeadgateHTTP.HTTPBody.of(answer))
            }, method: method, path: path, operationID: "\(method) \(path)")
    }
}
