// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateHTTP

extension Components.Shared {
    /// The body of several responses.
    public enum JsonResponseBody {
        case json(HTTPBody)

        public var json: HTTPBody {
            get throws {
                switch self {
                case .json(let body): return body
                }
            }
        }

        func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
            switch self {
            case .json(let body): return response.bytes(body, contentType: "application/json")
            }
        }

        init(decoding response: IncomingResponse) throws {
            switch response.mediaType {
            case "application/json": self = .json(try response.bytes())
            default: throw response.unexpectedContentType
            }
        }
    }
}
