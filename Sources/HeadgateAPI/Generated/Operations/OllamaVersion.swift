// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// The version of Ollama's API that this is like.
    ///
    /// `GET /api/version`
    public enum OllamaVersion {
        public static let id = "ollamaVersion"

        public struct Input {
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init() {}
        }

        public enum Output {
            /// The version, and that of the gateway.
            public struct Ok: Hashable, Sendable {
                public struct Headers: Hashable, Sendable {
                    /// Names this request in the gateway's log.
                    public var xRequestId: String?

                    public init(xRequestId: String? = nil) {
                        self.xRequestId = xRequestId
                    }
                }

                public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.OllamaVersion)

                    public var json: Components.Schemas.OllamaVersion {
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

            /// The version, and that of the gateway.
            case ok(Ok)
            /// What went wrong, in Ollama's form.
            case `default`(statusCode: Int, Components.Responses.OllamaError)
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

            public var `default`: Components.Responses.OllamaError {
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

extension Operations.OllamaVersion.Input {
    init(decoding request: IncomingRequest) throws {
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        OutgoingRequest(OperationTable.ollamaVersion)
    }
}

extension Operations.OllamaVersion.Output {
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
