package import HeadgateHTTP

/// The way to a local upstream: waits until its program can serve, and counts what is in flight.
package struct LocalServerTransport: RelayTransport {
    private let server: LocalServer
    private let transport: any RelayTransport

    package init(server: LocalServer, transport: any RelayTransport) {
        self.server = server
        self.transport = transport
    }

    package func send(
        _ head: OutgoingHead, body: [UInt8]?, baseURL: BaseURL, operationID: String
    ) async throws -> (ResponseHead, HTTPBody?) {
        try await server.enter()
        let response: ResponseHead
        let answer: HTTPBody?
        do {
            (response, answer) = try await transport.send(
                head, body: body, baseURL: baseURL, operationID: operationID)
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
