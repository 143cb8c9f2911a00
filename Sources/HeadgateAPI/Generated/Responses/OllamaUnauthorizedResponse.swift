// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// No valid gateway key was sent.
    public struct OllamaUnauthorized: Hashable, Sendable {
        public struct Headers: Hashable, Sendable {
            /// Names this request in the gateway's log.
            public var xRequestId: String?
            /// How to present a key.
            public var wwwAuthenticate: String?

            public init(xRequestId: String? = nil, wwwAuthenticate: String? = nil) {
                self.xRequestId = xRequestId
                self.wwwAuthenticate = wwwAuthenticate
            }
        }

        public enum Body: Hashable, Sendable {
            case json(Components.Schemas.OllamaError)

            public var json: Components.Schemas.OllamaError {
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
            response.set(HeaderNames.wwwAuthenticate, headers.wwwAuthenticate)
            switch body {
            case .json(let body): return try response.json(body)
            }
        }

        init(decoding response: IncomingResponse) async throws {
            headers = Headers(
                xRequestId: response.header(HeaderNames.xRequestId),
                wwwAuthenticate: response.header(HeaderNames.wwwAuthenticate))
            switch response.mediaType {
            case "application/json": body = .json(try await response.json())
            default: throw response.unexpectedContentType
            }
        }
    }
}
