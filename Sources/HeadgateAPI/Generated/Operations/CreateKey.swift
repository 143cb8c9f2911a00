// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// Makes a client key.
    ///
    /// `POST /admin/keys`
    public enum CreateKey {
        public static let id = "createKey"

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
            /// The key.
            public typealias Created = Components.Shared.XRequestIdJsonResponse

            /// The key.
            case created(Created)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// This key may not use that model or see that data, the request came from a foreign web page, or the
            /// upstream refused what was asked, such as a region, a content or a project, in its own words.
            case forbidden(Components.Responses.Forbidden)
            /// There is a key with that name already, or it is one of the configuration.
            case conflict(Components.Responses.KeyConflict)
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
                case .created: 201
                case .badRequest: 400
                case .unauthorized: 401
                case .forbidden: 403
                case .conflict: 409
                case .contentTooLarge: 413
                case .unsupportedMediaType: 415
                case .default(let statusCode, _): statusCode
                case .undocumented(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var created: Created {
                get throws { if case .created(let value) = self { value } else { throw unexpected("created") } }
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

            public var conflict: Components.Responses.KeyConflict {
                get throws { if case .conflict(let value) = self { value } else { throw unexpected("conflict") } }
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

extension Operations.CreateKey.Input {
    init(decoding request: IncomingRequest) throws {
        body = .json(try request.body())
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.createKey)
        body.encode(into: &request)
        return request
    }
}

extension Operations.CreateKey.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .created(let response): try response.encoded(status: 201)
        case .badRequest(let response): try response.encoded(status: 400)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .forbidden(let response): try response.encoded(status: 403)
        case .conflict(let response): try response.encoded(status: 409)
        case .contentTooLarge(let response): try response.encoded(status: 413)
        case .unsupportedMediaType(let response): try response.encoded(status: 415)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 201: self = .created(try await .init(decoding: response))
        case 400: self = .badRequest(try await .init(decoding: response))
        case 401: self = .unauthorized(try await .init(decoding: response))
        case 403: self = .forbidden(try await .init(decoding: response))
        case 409: self = .conflict(try await .init(decoding: response))
        case 413: self = .contentTooLarge(try await .init(decoding: response))
        case 415: self = .unsupportedMediaType(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
