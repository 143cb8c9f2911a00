// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// There is a key with that name already, or it is one of the configuration.
    public struct KeyConflict: Hashable, Sendable {
        public struct Headers: Hashable, Sendable {
            /// Names this request in the gateway's log.
            public var xRequestId: String?

            public init(xRequestId: String? = nil) {
                self.xRequestId = xRequestId
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
            switch body {
            case .json(let body): return try response.json(body)
            }
        }

        init(decoding response: IncomingResponse) async throws {
            headers = Headers(xRequestId: response.header(HeaderNames.xRequestId))
            switch response.mediaType {
            case "application/json": body = .json(try await response.json())
            default: throw response.unexpectedContentType
            }
        }
    }
}
