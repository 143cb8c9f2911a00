package import HTTPTypes
package import HeadgateHTTP

/// The way to a local upstream: waits until its program can serve, and counts what is in flight.
package struct LocalServerTransport: ClientTransport {
    private let server: LocalServer
    private let transport: any ClientTransport

    package init(server: LocalServer, transport: any ClientTransport) {
        self.server = server
        self.transport = transport
    }

    package func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        try await server.enter()
        let response: HTTPResponse
        let answer: HTTPBody?
        do {
            (response, answer) = try await transport.send(
                request, body: body, baseURL: baseURL, operationID: operationID)
        } catch {
            server.leave()
            throw error
        }
        guard case .stream(let source)? = answer else {
            server.leave()
            return (response, answer)
        }
        return (response, .stream(CountedBody(source, server: server)))
    }
}
