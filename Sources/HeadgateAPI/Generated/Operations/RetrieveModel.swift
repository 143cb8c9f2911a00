// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// One model.
    ///
    /// `GET /models/{model}`
    public enum RetrieveModel {
        public static let id = "retrieveModel"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The public name. It may hold slashes, percent-encoded or not.
                public var model: String

                public init(model: String) {
                    self.model = model
                }
            }

            public typealias Headers = Components.Shared.AnthropicVersionRequestHeaders

            public var path: Path
            public var headers: Headers
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(path: Path, headers: Headers = .init()) {
                self.path = path
                self.headers = headers
            }
        }

        public enum Output {
            /// The model is configured, and this key may use it.
            public struct Ok: Hashable, Sendable {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body: Hashable, Sendable {
                    public enum JsonPayload: Codable, Hashable, Sendable, JSONWritable {
                        case model(Components.Schemas.Model)
                        case anthropicModel(Components.Schemas.AnthropicModel)

                        public init(from decoder: any Decoder) throws {
                            if let value = try? Components.Schemas.Model(from: decoder) {
                                self = .model(value)
                                return
                            }
                            self = .anthropicModel(try .init(from: decoder))
                        }

                        public func encode(to encoder: any Encoder) throws {
                            switch self {
                            case .model(let value): try value.encode(to: encoder)
                            case .anthropicModel(let value): try value.encode(to: encoder)
                            }
                        }

                        public func write(to json: inout JSONText) throws {
                            switch self {
                            case .model(let value): try value.write(to: &json)
                            case .anthropicModel(let value): try value.write(to: &json)
                            }
                        }
                    }

                    case json(JsonPayload)

                    public var json: JsonPayload {
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

            /// The model is configured, and this key may use it.
            case ok(Ok)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.UnauthorizedInEitherForm)
            /// What went wrong.
            case notFound(Components.Responses.ErrorInEitherForm)
            /// What went wrong.
            case `default`(statusCode: Int, Components.Responses.ErrorInEitherForm)
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

            public var unauthorized: Components.Responses.UnauthorizedInEitherForm {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var notFound: Components.Responses.ErrorInEitherForm {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var `default`: Components.Responses.ErrorInEitherForm {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.RetrieveModel.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(model: try request.path("model"))
        headers = try Headers(decoding: request)
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.retrieveModel)
        request.path("model", path.model)
        headers.encode(into: &request)
        return request
    }
}

extension Operations.RetrieveModel.Output {
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
