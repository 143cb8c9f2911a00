// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// One item of a conversation.
    ///
    /// `GET /conversations/{conversation_id}/items/{item_id}`
    public enum RetrieveConversationItem {
        public static let id = "retrieveConversationItem"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The `id` of a conversation.
                public var conversationId: String
                /// The `id` of an item.
                public var itemId: String

                public init(conversationId: String, itemId: String) {
                    self.conversationId = conversationId
                    self.itemId = itemId
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
            /// The item.
            public typealias Ok = Components.Shared.XRequestIdJsonResponse

            /// The item.
            case ok(Ok)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// The gateway keeps no such conversation, or no such item of it, or it is another key's.
            case notFound(Components.Responses.UnknownConversation)
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

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.RetrieveConversationItem.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(conversationId: try request.path("conversation_id"), itemId: try request.path("item_id"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.retrieveConversationItem)
        request.path("conversation_id", path.conversationId)
        request.path("item_id", path.itemId)
        return request
    }
}

extension Operations.RetrieveConversationItem.Output {
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
