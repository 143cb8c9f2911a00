// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// No valid gateway key was sent.
    public struct OllamaUnauthorized: Hashable, Sendable {
        public typealias Headers = Components.Shared.XRequestIdWwwAuthenticateResponseHeaders
        public typealias Body = Components.Shared.JsonOllamaErrorResponseBody

        public var headers: Headers
        public var body: Body

        public init(headers: Headers = .init(), body: Body) {
            self.headers = headers
            self.body = body
        }

        func encoded(status: Int) throws -> RawResponse {
            try body.encoded(in: headers.encoded(status: status))
        }

        init(decoding response: IncomingResponse) async throws {
            headers = Headers(decoding: response)
            body = try await Body(decoding: response)
        }
    }
}
