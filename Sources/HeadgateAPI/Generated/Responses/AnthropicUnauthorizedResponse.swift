// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// No valid gateway key was sent.
    public struct AnthropicUnauthorized: Hashable, Sendable {
        public struct Headers: Hashable, Sendable {
            /// Names this request in the gateway's log.
            public var xRequestId: String?
            /// Names this request in the gateway's log.
            public var requestId: String?
            /// How to present a key.
            public var wwwAuthenticate: String?

            public init(xRequestId: String? = nil, requestId: String? = nil, wwwAuthenticate: String? = nil) {
                self.xRequestId = xRequestId
                self.requestId = requestId
                self.wwwAuthenticate = wwwAuthenticate
            }

            func encoded(status: Int) -> OutgoingResponse {
                var response = OutgoingResponse(status: status)
                response.set(HeaderNames.xRequestId, self.xRequestId)
                response.set(HeaderNames.requestId, self.requestId)
                response.set(HeaderNames.wwwAuthenticate, self.wwwAuthenticate)
                return response
            }

            init(decoding response: IncomingResponse) {
                self.init(
                    xRequestId: response.header(HeaderNames.xRequestId),
                    requestId: response.header(HeaderNames.requestId),
                    wwwAuthenticate: response.header(HeaderNames.wwwAuthenticate))
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
