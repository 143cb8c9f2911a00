// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// The client keys.
    ///
    /// `GET /admin/keys`
    public enum ListKeys {
        public static let id = "listKeys"

        public struct Input {
            public struct Query: Hashable, Sendable {
                /// How many managed keys, 100 without it.
                public var limit: Int?
                /// The name of the last key of the page before.
                public var after: String?

                public init(limit: Int? = nil, after: String? = nil) {
                    self.limit = limit
                    self.after = after
                }
            }

            public var query: Query
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(query: Query = .init()) {
                self.query = query
            }
        }

        public enum Output {
            /// One page of keys.
            public typealias Ok = Components.Shared.XRequestIdJsonResponse

            /// One page of keys.
            case ok(Ok)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// This key may not use that model or see that data, the request came from a foreign web page, or the
            /// upstream refused what was asked, such as a region, a content or a project, in its own words.
            case forbidden(Components.Responses.Forbidden)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .badRequest: 400
                case .unauthorized: 401
                case .forbidden: 403
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

            public var forbidden: Components.Responses.Forbidden {
                get throws { if case .forbidden(let value) = self { value } else { throw unexpected("forbidden") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.ListKeys.Input {
    init(decoding request: IncomingRequest) throws {
        query = Query(limit: try request.query("limit"), after: try request.query("after"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.listKeys)
        request.query("limit", query.limit)
        request.query("after", query.after)
        return request
    }
}

extension Operations.ListKeys.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .badRequest(let response): try response.encoded(status: 400)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .forbidden(let response): try response.encoded(status: 403)
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
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
