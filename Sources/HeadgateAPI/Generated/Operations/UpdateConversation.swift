// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// Changes the metadata of a conversation.
    ///
    /// `POST /conversations/{conversation_id}`
    public enum UpdateConversation {
        public static let id = "updateConversation"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The `id` of a conversation.
                public var conversationId: String

                public init(conversationId: String) {
                    self.conversationId = conversationId
                }
            }

            public typealias Body = Components.Shared.JsonRequestBody

            public var path: Path
            public var body: Body
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(path: Path, body: Body) {
                self.path = path
                self.body = body
            }
        }

        public enum Output {
            /// The conversation as it is now.
            public typealias Ok = Components.Shared.XRequestIdJsonResponse

            /// The conversation as it is now.
            case ok(Ok)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// The gateway keeps no such conversation, or no such item of it, or it is another key's.
            case notFound(Components.Responses.UnknownConversation)
            /// The body is larger than the configured limit.
            case contentTooLarge(Components.Responses.TooLarge)
            /// The body is not application/json, or is compressed in another way than gzip, deflate or zstd.
            case unsupportedMediaType(Components.Responses.NotJSON)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .badRequest: 400
                case .unauthorized: 401
                case .notFound: 404
                case .contentTooLarge: 413
                case .unsupportedMediaType: 415
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

            public var badRequest: Components.Responses.BadRequest {
                get throws { if case .badRequest(let value) = self { value } else { throw unexpected("badRequest") } }
            }

            public var unauthorized: Components.Responses.Unauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var notFound: Components.Responses.UnknownConversation {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var contentTooLarge: Components.Responses.TooLarge {
                get throws {
                    if case .contentTooLarge(let value) = self { value } else { throw unexpected("contentTooLarge") }
                }
            }

            public var unsupportedMediaType: Components.Responses.NotJSON {
                get throws {
                    if case .unsupportedMediaType(let value) = self { return value }
                    throw unexpected("unsupportedMediaType")
                }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.UpdateConversation.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(conversationId: try request.path("conversation_id"))
        body = .json(try request.body())
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.updateConversation)
        request.path("conversation_id", path.conversationId)
        body.encode(into: &request)
        return request
    }
}

extension Operations.UpdateConversation.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .badRequest(let response): try response.encoded(status: 400)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .notFound(let response): try response.encoded(status: 404)
        case .contentTooLarge(let response): try response.encoded(status: 413)
        case .unsupportedMediaType(let response): try response.encoded(status: 415)
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
        case 413: self = .contentTooLarge(try await .init(decoding: response))
        case 415: self = .unsupportedMediaType(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
