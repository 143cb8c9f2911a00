#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Sends the requests of a generated client to its server.
public struct RequestSender: Sendable {
    let serverURL: BaseURL
    let configuration: Configuration?
    let transport: any ClientTransport
    let middlewares: [any ClientMiddleware]

    /// - Parameter configuration: Configuration; nil for the default one.
    public init(
        serverURL: BaseURL, configuration: Configuration? = nil, transport: any ClientTransport,
        middlewares: [any ClientMiddleware]
    ) {
        self.serverURL = serverURL
        self.configuration = configuration
        self.transport = transport
        self.middlewares = middlewares
    }

    /// Sends a request through the middleware and the transport.
    ///
    /// - Throws: An error of a middleware or the transport.
    public func send(_ request: OutgoingRequest, operationID: String) async throws -> IncomingResponse {
        var request = request
        request.address(to: serverURL)
        let send = transport.wrapped(in: middlewares, operationID: operationID)
        let (response, body) = try await send(request.request, request.body, serverURL)
        return IncomingResponse(response, body)
    }

    /// Creates a request, sends it, and decodes its response.
    ///
    /// - Throws: ``ClientError``, or `CancellationError`.
    public func call<Output>(
        _ operationID: String, encoding: () throws -> OutgoingRequest,
        decoding: (IncomingResponse) async throws -> Output
    ) async throws -> Output {
        guard let configuration else { return try await run(operationID, encoding, decoding) }
        return try await configuration.applied { try await run(operationID, encoding, decoding) }
    }

    private func run<Output>(
        _ operationID: String, _ encoding: () throws -> OutgoingRequest,
        _ decoding: (IncomingResponse) async throws -> Output
    ) async throws -> Output {
        var (request, response): (HTTPRequest?, HTTPResponse?)
        var cause = "The request could not be made"
        do {
            let outgoing = try encoding()
            (request, cause) = (outgoing.request, "The request got no response")
            let incoming = try await send(outgoing, operationID: operationID)
            (response, cause) = (incoming.response, "The response could not be read")
            return try await decoding(incoming)
        } catch {
            if error is CancellationError { throw error }
            throw ClientError(
                operationID: operationID, request: request, baseURL: URL(serverURL), response: response,
                causeDescription: cause, underlyingError: error)
        }
    }
}
