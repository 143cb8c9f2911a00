// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// Ends a stream that goes on without its client.
    ///
    /// `DELETE /streams/{request_id}`
    public enum StopStream {
        public static let id = "stopStream"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The `x-request-id` of the response that the stream is.
                public var requestId: String

                public init(requestId: String) {
                    self.requestId = requestId
                }
            }

            public var path: Path
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(path: Path) {
                self.path = path
            }
        }

        public enum Output {
            /// It is ended and forgotten.
            public struct Ok: Hashable, Sendable {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.StoppedStream)

                    public var json: Components.Schemas.StoppedStream {
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

            /// It is ended and forgotten.
            case ok(Ok)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// No such stream, or another key's, or one that was stopped, has expired or was lost with a restart of the
            /// gateway.
            case notFound(Components.Responses.UnknownStream)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .unauthorized: 401
                case .notFound: 404
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

            public var unauthorized: Components.Responses.Unauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var notFound: Components.Responses.UnknownStream {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.StopStream.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(requestId: try request.path("request_id"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.stopStream)
        request.path("request_id", path.requestId)
        return request
    }
}

extension Operations.StopStream.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .notFound(let response): try response.encoded(status: 404)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 401: self = .unauthorized(try await .init(decoding: response))
        case 404: self = .notFound(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
