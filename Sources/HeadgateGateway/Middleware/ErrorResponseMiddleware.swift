internal import HTTPTypes
internal import HeadgateHTTP

/// Turns what the rest of the chain throws into a response in the route's dialect.
struct ErrorResponseMiddleware: ServerMiddleware {
    func intercept(
        _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
        next: ServerHandler
    ) async throws -> (HTTPResponse, HTTPBody?) {
        do {
            return try await next(request, body, metadata)
        } catch {
            let failure = ErrorResponseMiddleware.gatewayError(error)
            metadata.record.note(failure)
            return OpenAIErrorEnvelope.response(failure)
        }
    }

    static func gatewayError(_ error: any Error) -> GatewayError {
        switch error {
        case let error as GatewayError: error
        case let violation as HTTPSyntaxError: .syntax(violation)
        default:
            GatewayError(
                500, type: "server_error", code: "internal_error", message: "The gateway failed. Its log says more.",
                origin: .gateway, detail: String(describing: type(of: error)))
        }
    }
}

extension RequestRecord {
    /// Notes an error that the client is told about, and what it makes of the outcome.
    func note(_ error: GatewayError) {
        facts.errorCode = error.label
        facts.errorDetail = error.detail
        facts.decidedEnd =
            switch error.origin {
            case .downstream: error.status == 408 ? .timedOut : .refused
            case .upstream: error.code == "upstream_timeout" ? .timedOut : .upstreamFailed
            case .gateway: .refused
            }
    }
}
