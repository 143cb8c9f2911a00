// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract
public import HeadgateHTTP

extension Operations {
    /// How the gateway is doing, as a page.
    ///
    /// `GET /status`
    public enum GetStatusPage {
        public static let id = "getStatusPage"

        public struct Input {
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init() {}
        }

        public enum Output {
            /// The page.
            public struct Ok {
                public struct Headers: Hashable, Sendable {
                    /// Names this request in the gateway's log.
                    public var xRequestId: String?

                    public init(xRequestId: String? = nil) {
                        self.xRequestId = xRequestId
                    }
                }

                public enum Body {
                    case html(HTTPBody)

                    public var html: HTTPBody {
                        get throws {
                            switch self {
                            case .html(let body): return body
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
                    case .html(let body):
                        return response.bytes(body, contentType: "text/html")
                    }
                }

                init(decoding response: IncomingResponse) async throws {
                    headers = Headers(xRequestId: response.header(HeaderNames.xRequestId))
                    switch response.mediaType {
                    case "text/html": body = .html(try response.bytes())
                    default: throw response.unexpectedContentType
                    }
                }
            }

            /// The page.
            case ok(Ok)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .default(let statusCode, _): statusCode
                case .undocumented(let statusCode, _): statusCode
                }
            }

            public var ok: Ok {
                get throws {
                    guard case .ok(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "ok")
                    }
                    return response
                }
            }

            public var `default`: Components.Responses.OtherError {
                get throws {
                    guard case .default(_, let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "default")
                    }
                    return response
                }
            }
        }
    }
}

extension Operations.GetStatusPage.Input {
    init(decoding request: IncomingRequest) throws {
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        OutgoingRequest(OperationTable.getStatusPage)
    }
}

extension Operations.GetStatusPage.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
