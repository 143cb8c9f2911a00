// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// A chat in Ollama's form: a stream, or whole with `stream: false`.
    ///
    /// `POST /api/chat`
    public enum OllamaChat {
        public static let id = "ollamaChat"

        public struct Input {
            public typealias Headers = Components.Shared.XHeadgateExplainXHeadgateFaultRequestHeaders
            public typealias Body = Components.Shared.JsonRequestBody

            public var headers: Headers
            public var body: Body
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(headers: Headers = .init(), body: Body) {
                self.headers = headers
                self.body = body
            }
        }

        public enum Output {
            /// The message of the model.
            public typealias Ok =
                Components.Shared.XRequestIdXHeadgateUpstreamAnd4MoreJsonApplicationXNdjsonExplanationResponse

            /// The message of the model.
            case ok(Ok)
            /// What went wrong, in Ollama's form.
            case badRequest(Components.Responses.OllamaError)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.OllamaUnauthorized)
            /// What went wrong, in Ollama's form.
            case forbidden(Components.Responses.OllamaError)
            /// What went wrong, in Ollama's form.
            case notFound(Components.Responses.OllamaError)
            /// What went wrong, in Ollama's form.
            case contentTooLarge(Components.Responses.OllamaError)
            /// What went wrong, in Ollama's form.
            case unsupportedMediaType(Components.Responses.OllamaError)
            /// The upstream, or the gateway, takes no request now.
            case tooManyRequests(Components.Responses.OllamaRetryLater)
            /// What went wrong, in Ollama's form.
            case badGateway(Components.Responses.OllamaError)
            /// The upstream, or the gateway, takes no request now.
            case serviceUnavailable(Components.Responses.OllamaRetryLater)
            /// What went wrong, in Ollama's form.
            case gatewayTimeout(Components.Responses.OllamaError)
            /// What went wrong, in Ollama's form.
            case `default`(statusCode: Int, Components.Responses.OllamaError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .badRequest: 400
                case .unauthorized: 401
                case .forbidden: 403
                case .notFound: 404
                case .contentTooLarge: 413
                case .unsupportedMediaType: 415
                case .tooManyRequests: 429
                case .badGateway: 502
                case .serviceUnavailable: 503
                case .gatewayTimeout: 504
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

            public var badRequest: Components.Responses.OllamaError {
                get throws { if case .badRequest(let value) = self { value } else { throw unexpected("badRequest") } }
            }

            public var unauthorized: Components.Responses.OllamaUnauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var forbidden: Components.Responses.OllamaError {
                get throws { if case .forbidden(let value) = self { value } else { throw unexpected("forbidden") } }
            }

            public var notFound: Components.Responses.OllamaError {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var contentTooLarge: Components.Responses.OllamaError {
                get throws {
                    if case .contentTooLarge(let value) = self { value } else { throw unexpected("contentTooLarge") }
                }
            }

            public var unsupportedMediaType: Components.Responses.OllamaError {
                get throws {
                    if case .unsupportedMediaType(let value) = self { return value }
                    throw unexpected("unsupportedMediaType")
                }
            }

            public var tooManyRequests: Components.Responses.OllamaRetryLater {
                get throws {
                    if case .tooManyRequests(let value) = self { value } else { throw unexpected("tooManyRequests") }
                }
            }

            public var badGateway: Components.Responses.OllamaError {
                get throws { if case .badGateway(let value) = self { value } else { throw unexpected("badGateway") } }
            }

            public var serviceUnavailable: Components.Responses.OllamaRetryLater {
                get throws {
                    if case .serviceUnavailable(let value) = self { return value }
                    throw unexpected("serviceUnavailable")
                }
            }

            public var gatewayTimeout: Components.Responses.OllamaError {
                get throws {
                    if case .gatewayTimeout(let value) = self { value } else { throw unexpected("gatewayTimeout") }
                }
            }

            public var `default`: Components.Responses.OllamaError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.OllamaChat.Input {
    init(decoding request: IncomingRequest) throws {
        headers = try Headers(decoding: request)
        body = .json(try request.body())
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.ollamaChat)
        headers.encode(into: &request)
        body.encode(into: &request)
        return request
    }
}

extension Operations.OllamaChat.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .badRequest(let response): try response.encoded(status: 400)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .forbidden(let response): try response.encoded(status: 403)
        case .notFound(let response): try response.encoded(status: 404)
        case .contentTooLarge(let response): try response.encoded(status: 413)
        case .unsupportedMediaType(let response): try response.encoded(status: 415)
        case .tooManyRequests(let response): try response.encoded(status: 429)
        case .badGateway(let response): try response.encoded(status: 502)
        case .serviceUnavailable(let response): try response.encoded(status: 503)
        case .gatewayTimeout(let response): try response.encoded(status: 504)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 400: self = .badRequest(try await .init(decoding: response))
        case 401: self = .unauthorized(try await .init(decoding: response))
        case 403: self = .forbidden(try await .init(decoding: response))
        case 404: self = .notFound(try await .init(decoding: response))
        case 413: self = .contentTooLarge(try await .init(decoding: response))
        case 415: self = .unsupportedMediaType(try await .init(decoding: response))
        case 429: self = .tooManyRequests(try await .init(decoding: response))
        case 502: self = .badGateway(try await .init(decoding: response))
        case 503: self = .serviceUnavailable(try await .init(decoding: response))
        case 504: self = .gatewayTimeout(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
