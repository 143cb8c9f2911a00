// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Shared {
    /// The body of several responses.
    public enum JsonOllamaErrorResponseBody: Hashable, Sendable {
        case json(Components.Schemas.OllamaError)

        public var json: Components.Schemas.OllamaError {
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
}
