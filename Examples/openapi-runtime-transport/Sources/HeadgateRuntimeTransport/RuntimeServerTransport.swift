import HTTPTypes
import HeadgateHTTP
@_exported import HeadgateServerTransport
import OpenAPIRuntime

/// Lets a libevent server run handlers of swift-openapi-generator.
public struct RuntimeServerTransport: OpenAPIRuntime.ServerTransport {
    private let server: LibeventServer

    /// - Parameter server: not yet started.
    public init(_ server: LibeventServer) { self.server = server }

    /// - Throws: `RouteError`, where there cannot be such a route.
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
