// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateOpenAPI

nonisolated extension APIProtocol {
    /// Registers every operation.
    ///
    /// - Parameters:
    ///   - serverURL: whose path every route begins with.
    ///   - configuration: how values are read and written; nil for the usual.
    ///   - middlewares: around each handler, outermost first.
    public func registerHandlers(
        on transport: any ServerTransport,
        serverURL: BaseURL? = nil,
        configuration: OpenAPIConfiguration? = nil,
        middlewares: [any ServerMiddleware] = []
    ) throws {
        try transport.register(
            Operations.WelcomeMessage.operation, serverURL: serverURL, configuration: configuration,
            middlewares: middlewares
        ) { request, body, metadata in
            try await welcomeMessage(.init(decoding: .init(request, body, metadata))).encoded()
        }
    }

    /// The same below the path of a URL.
    public func registerHandlers(
        on transport: any ServerTransport,
        serverURL: OpenAPIURL,
        configuration: OpenAPIConfiguration? = nil,
        middlewares: [any ServerMiddleware] = []
    ) throws {
        try registerHandlers(
            on: transport,
            serverURL: BaseURL(serverURL),
            configuration: configuration,
            middlewares: middlewares)
    }
}
