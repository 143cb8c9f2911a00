// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// No such model is configured (the message names the one that was asked for), or the request is to be answered
    /// from a recording
    /// and none is of it (code `not_recorded`).
    public struct AnthropicUnknownModel: Hashable, Sendable {
        public struct Headers: Hashable, Sendable {
            /// Names this request in the gateway's log.
            public var xRequestId: String?
            /// Names this request in the gateway's log.
            public var requestId: String?

            public init(xRequestId: String? = nil, requestId: String? = nil) {
                self.xRequestId = xRequestId
                self.requestId = requestId
            }
        }

        public enum Body: Hashable, Sendable {
            case json(Components.Schemas.AnthropicError)

            public var json: Components.Schemas.AnthropicError {
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
            response.set(HeaderNames.requestId, headers.requestId)
            switch body {
            case .json(let body): return try response.json(body)
            }
        }

        init(decoding response: IncomingResponse) async throws {
            headers = Headers(
                xRequestId: response.header(HeaderNames.xRequestId),
                requestId: response.header(HeaderNames.requestId))
            switch response.mediaType {
            case "application/json": body = .json(try await response.json())
            default: throw response.unexpectedContentType
            }
        }
    }
}
