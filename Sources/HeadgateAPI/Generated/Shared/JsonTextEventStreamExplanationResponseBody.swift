// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateHTTP

extension Components.Shared {
    /// The body of several responses.
    public enum JsonTextEventStreamExplanationResponseBody {
        case json(HTTPBody)
        case textEventStream(HTTPBody)
        case explanation(HTTPBody)

        public var json: HTTPBody {
            get throws {
                if case .json(let body) = self { body } else { throw UnexpectedResponse.body(expected: "json") }
            }
        }

        public var textEventStream: HTTPBody {
            get throws {
                if case .textEventStream(let body) = self { return body }
                throw UnexpectedResponse.body(expected: "textEventStream")
            }
        }

        public var explanation: HTTPBody {
            get throws {
                if case .explanation(let body) = self { return body }
                throw UnexpectedResponse.body(expected: "explanation")
            }
        }

        func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
            switch self {
            case .json(let body): return response.bytes(body, contentType: "application/json")
            case .textEventStream(let body): return response.bytes(body, contentType: "text/event-stream")
            case .explanation(let body):
                return response.bytes(body, contentType: "application/vnd.headgate.explanation+json")
            }
        }

        init(decoding response: IncomingResponse) throws {
            switch response.mediaType {
            case "application/json": self = .json(try response.bytes())
            case "text/event-stream": self = .textEventStream(try response.bytes())
            case "application/vnd.headgate.explanation+json": self = .explanation(try response.bytes())
            default: throw response.unexpectedContentType
            }
        }
    }
}
