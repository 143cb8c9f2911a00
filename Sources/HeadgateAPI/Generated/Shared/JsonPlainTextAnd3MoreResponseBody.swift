// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateHTTP

extension Components.Shared {
    /// The body of several responses.
    public enum JsonPlainTextAnd3MoreResponseBody {
        case json(HTTPBody)
        case plainText(HTTPBody)
        case textVtt(HTTPBody)
        case applicationXSubrip(HTTPBody)
        case textEventStream(HTTPBody)

        public var json: HTTPBody {
            get throws {
                if case .json(let body) = self { body } else { throw UnexpectedResponse.body(expected: "json") }
            }
        }

        public var plainText: HTTPBody {
            get throws {
                if case .plainText(let body) = self { return body }
                throw UnexpectedResponse.body(expected: "plainText")
            }
        }

        public var textVtt: HTTPBody {
            get throws {
                if case .textVtt(let body) = self { body } else { throw UnexpectedResponse.body(expected: "textVtt") }
            }
        }

        public var applicationXSubrip: HTTPBody {
            get throws {
                if case .applicationXSubrip(let body) = self { return body }
                throw UnexpectedResponse.body(expected: "applicationXSubrip")
            }
        }

        public var textEventStream: HTTPBody {
            get throws {
                if case .textEventStream(let body) = self { return body }
                throw UnexpectedResponse.body(expected: "textEventStream")
            }
        }

        func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
            switch self {
            case .json(let body): return response.bytes(body, contentType: "application/json")
            case .plainText(let body): return response.bytes(body, contentType: "text/plain")
            case .textVtt(let body): return response.bytes(body, contentType: "text/vtt")
            case .applicationXSubrip(let body): return response.bytes(body, contentType: "application/x-subrip")
            case .textEventStream(let body): return response.bytes(body, contentType: "text/event-stream")
            }
        }

        init(decoding response: IncomingResponse) throws {
            switch response.mediaType {
            case "application/json": self = .json(try response.bytes())
            case "text/plain": self = .plainText(try response.bytes())
            case "text/vtt": self = .textVtt(try response.bytes())
            case "application/x-subrip": self = .applicationXSubrip(try response.bytes())
            case "text/event-stream": self = .textEventStream(try response.bytes())
            default: throw response.unexpectedContentType
            }
        }
    }
}
