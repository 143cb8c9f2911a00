// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The upstream could not be reached, refused the gateway's own key (`upstream_auth`), or sent what cannot be
    /// relayed.
    public struct AnthropicUpstreamFailed: Hashable, Sendable {
        public struct Headers: Hashable, Sendable {
            /// Names this request in the gateway's log.
            public var xRequestId: String?
            /// Names this request in the gateway's log.
            public var requestId: String?
            /// Whether SDKs should try again, where the status alone would mislead them.
            public var xShouldRetry: String?

            public init(xRequestId: String? = nil, requestId: String? = nil, xShouldRetry: String? = nil) {
                self.xRequestId = xRequestId
                self.requestId = requestId
                self.xShouldRetry = xShouldRetry
            }

            func encoded(status: Int) -> OutgoingResponse {
                var response = OutgoingResponse(status: status)
                response.set(HeaderNames.xRequestId, self.xRequestId)
                response.set(HeaderNames.requestId, self.requestId)
                response.set(HeaderNames.xShouldRetry, self.xShouldRetry)
                return response
            }

            init(decoding response: IncomingResponse) {
                self.init(
                    xRequestId: response.header(HeaderNames.xRequestId),
                    requestId: response.header(HeaderNames.requestId),
                    xShouldRetry: response.header(HeaderNames.xShouldRetry))
            }
        }

        public typealias Body = Components.Shared.JsonAnthropicErrorResponseBody

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
