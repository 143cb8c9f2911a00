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
        }

        public enum Body: Hashable, Sendable {
            case json(Components.Schemas.Error)

            public var json: Components.Schemas.Error {
                get throws {
                    switch self {
                    case .json(let body): return body
                    }
                }
            }
        }

        public var headers: Headers
        public var body: Body

        public init(headers: Headers = .init(), body: Body) {
            self.headers = headers
            self.body = body
        }

        func encoded(status: Int) throws -> RawResponse {
            var response = OutgoingResponse(status: status)
            response.set(HeaderNames.xRequestId, headers.xRequestId)
            response.set(HeaderNames.retryAfter, headers.retryAfter)
            switch body {
            case .json(let body): return try response.json(body)
            }
        }

        init(decoding response: IncomingResponse) async throws {
            headers = Headers(
                xRequestId: response.header(HeaderNames.xRequestId),
                retryAfter: response.header(HeaderNames.retryAfter))
            switch response.mediaType {
            case "application/json": body = .json(try await response.json())
            default: throw response.unexpectedContentType
            }
        }
    }
}
