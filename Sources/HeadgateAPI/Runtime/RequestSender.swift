internal import HeadgateHTTP

/// How a client reaches its server.
struct RequestSender: Sendable {
    let serverURL: BaseURL
    let transport: any ClientTransport
    let middlewares: [any ClientMiddleware]

    func send(_ request: OutgoingRequest, operationID: String) async throws -> IncomingResponse {
        var request = request
        request.address(to: serverURL)
        let send = transport.wrapped(in: middlewares, operationID: operationID)
        let (response, body) = try await send(request.request, request.body, serverURL)
        return IncomingResponse(response, body)
    }
}
