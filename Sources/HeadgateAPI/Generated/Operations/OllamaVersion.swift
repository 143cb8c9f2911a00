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
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.OllamaVersion)

                    public var json: Components.Schemas.OllamaVersion {
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

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Ok {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }

            public var `default`: Components.Responses.OllamaError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
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
