// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// Headers and body of several responses.
    public struct XRequestIdXHeadgateUpstreamAnd6MoreJsonTextEventStreamExplanationResponse {
        public typealias Headers = Components.Shared.XRequestIdXHeadgateUpstreamAnd6MoreResponseHeaders
        public typealias Body = Components.Shared.JsonTextEventStreamExplanationResponseBody

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
            body = try Body(decoding: response)
        }
    }
}
