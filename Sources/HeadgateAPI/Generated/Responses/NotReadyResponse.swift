// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// The upstream is starting or overloaded, no target of the model takes requests now (`no_target_available`), it is
    /// not
    /// known what is left of a strict budget (`budget_unavailable`), or the gateway is shutting down or at its
    /// connection limit.
    public struct NotReady: Hashable, Sendable {
        public struct Headers: Hashable, Sendable {
            /// Names this request in the gateway's log.
            public var xRequestId: String?
            /// Seconds, at most 120.
            public var retryAfter: Int?
            /// The same, finer, where the upstream says so.
            public var retryAfterMs: Int?
            /// Whether SDKs should try again, where the status alone would mislead them.
            public var xShouldRetry: String?

            public init(
                xRequestId: String? = nil,
                retryAfter: Int? = nil,
                retryAfterMs: Int? = nil,
                xShouldRetry: String? = nil
            ) {
                self.xRequestId = xRequestId
                self.retryAfter = retryAfter
                self.retryAfterMs = retryAfterMs
                self.xShouldRetry = xShouldRetry
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
            response.set(HeaderNames.retryAfterMs, headers.retryAfterMs)
            response.set(HeaderNames.xShouldRetry, headers.xShouldRetry)
            switch body {
            case .json(let body): return try response.json(body)
            }
        }

        init(decoding response: IncomingResponse) async throws {
            headers = Headers(
                xRequestId: response.header(HeaderNames.xRequestId),
                retryAfter: response.header(HeaderNames.retryAfter),
                retryAfterMs: response.header(HeaderNames.retryAfterMs),
                xShouldRetry: response.header(HeaderNames.xShouldRetry))
            switch response.mediaType {
            case "application/json": body = .json(try await response.json())
            default: throw response.unexpectedContentType
            }
        }
    }
}
