// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// What is known of a model, in Ollama's form.
    ///
    /// `POST /api/show`
    public enum OllamaShowModel {
        public static let id = "ollamaShowModel"

        public struct Input {
            public typealias Body = Components.Shared.JsonRequestBody

            public var body: Body
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(body: Body) {
                self.body = body
            }
        }

        public enum Output {
            /// The model is configured, and this key may use it.
            public typealias Ok = Components.Shared.XRequestIdJsonResponse

            /// The model is configured, and this key may use it.
            case ok(Ok)
            /// What went wrong, in Ollama's form.
            case badRequest(Components.Responses.OllamaError)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.OllamaUnauthorized)
            /// What went wrong, in Ollama's form.
            case notFound(Components.Responses.OllamaError)
            /// What went wrong, in Ollama's form.
            case `default`(statusCode: Int, Components.Responses.OllamaError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .badRequest: 400
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

            public var badRequest: Components.Responses.OllamaError {
                get throws { if case .badRequest(let value) = self { value } else { throw unexpected("badRequest") } }
            }

            public var unauthorized: Components.Responses.OllamaUnauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var notFound: Components.Responses.OllamaError {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var `default`: Components.Responses.OllamaError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.OllamaShowModel.Input {
    init(decoding request: IncomingRequest) throws {
        body = .json(try request.body())
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.ollamaShowModel)
        body.encode(into: &request)
        return request
    }
}

extension Operations.OllamaShowModel.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .badRequest(let response): try response.encoded(status: 400)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .notFound(let response): try response.encoded(status: 404)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 400: self = .badRequest(try await .init(decoding: response))
        case 401: self = .unauthorized(try await .init(decoding: response))
        case 404: self = .notFound(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
