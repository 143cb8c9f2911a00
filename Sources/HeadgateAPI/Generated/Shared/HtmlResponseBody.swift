// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateHTTP

extension Components.Shared {
    /// The body of several responses.
    public enum HtmlResponseBody {
        case html(HTTPBody)

        public var html: HTTPBody {
            get throws {
                switch self {
                case .html(let body): return body
                }
            }
        }

        func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
            switch self {
            case .html(let body): return response.bytes(body, contentType: "text/html")
            }
        }

        init(decoding response: IncomingResponse) throws {
            switch response.mediaType {
            case "text/html": self = .html(try response.bytes())
            default: throw response.unexpectedContentType
            }
        }
    }
}
