/// How a generated client reaches its server.
public struct RequestSender: Sendable {
    let serverURL: BaseURL
    let transport: any ClientTransport
    let middlewares: [any ClientMiddleware]

    public init(serverURL: BaseURL, transport: any ClientTransport, middlewares: [any ClientMiddleware]) {
        self.serverURL = serverURL
        self.transport = transport
        self.middlewares = middlewares
    }

    /// - Throws: what a middleware or the transport throws.
    public func send(_ request: OutgoingRequest, operationID: String) async throws -> IncomingResponse {
        var request = request
        request.address(to: serverURL)
        let send = transport.wrapped(in: middlewares, operationID: operationID)
        let (response, body) = try await send(request.request, request.body, serverURL)
        return IncomingResponse(response, body)
    }
}
