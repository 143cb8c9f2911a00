// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// A response is being made in this conversation (`conversation_locked`).
    public struct BusyConversation: Hashable, Sendable {
        public struct Headers: Hashable, Sendable {
            /// Names this request in the gateway's log.
            public var xRequestId: String?
            /// Seconds, at most 120.
            public var retryAfter: Int?

            public init(xRequestId: String? = nil, retryAfter: Int? = nil) {
                self.xRequestId = xRequestId
                self.retryAfter = retryAfter
            }

            func encoded(status: Int) -> OutgoingResponse {
                var response = OutgoingResponse(status: status)
                response.set(HeaderNames.xRequestId, self.xRequestId)
                response.set(HeaderNames.retryAfter, self.retryAfter)
                return response
            }

            init(decoding response: IncomingResponse) {
                self.init(
                    xRequestId: response.header(HeaderNames.xRequestId),
                    retryAfter: response.header(HeaderNames.retryAfter))
            }
        }

        public typealias Body = Components.Shared.JsonErrorResponseBody

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
