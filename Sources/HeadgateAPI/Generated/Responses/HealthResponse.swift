// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Responses {
    /// Yes.
    public struct Health: Hashable, Sendable {
        public typealias Headers = Components.Shared.XRequestIdResponseHeaders

        public enum Body: Hashable, Sendable {
            case json(Components.Schemas.Health)

            public var json: Components.Schemas.Health {
                get throws {
                    switch self {
                    case .json(let body): return body
                    }
                }
            }

            func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                switch self {
                case .json(let body): return try response.json(body)
                }
            }

            init(decoding response: IncomingResponse) async throws {
                switch response.mediaType {
                case "application/json": self = .json(try await response.json())
                default: throw response.unexpectedContentType
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
            try body.encoded(in: headers.encoded(status: status))
        }

        init(decoding response: IncomingResponse) async throws {
            headers = Headers(decoding: response)
            body = try await Body(decoding: response)
        }
    }
}
