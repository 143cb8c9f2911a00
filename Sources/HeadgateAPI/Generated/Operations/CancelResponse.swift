// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// Stops a response that runs in the background.
    ///
    /// `POST /responses/{response_id}/cancel`
    public enum CancelResponse {
        public static let id = "cancelResponse"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The `id` of a response.
                public var responseId: String

                public init(responseId: String) {
                    self.responseId = responseId
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
            /// The response as it is now.
            public typealias Ok = Components.Shared.XRequestIdXHeadgateUpstreamJsonResponse

            /// The response as it is now.
            case ok(Ok)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// The upstream has kept no such response, or it is another key's.
            case notFound(Components.Responses.UnknownResponse)
            /// The upstream could not be reached, refused the gateway's own key (`upstream_auth`), or sent what cannot
            /// be relayed.
            case badGateway(Components.Responses.UpstreamFailed)
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
                case .badGateway: 502
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

            public var notFound: Components.Responses.UnknownResponse {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var badGateway: Components.Responses.UpstreamFailed {
                get throws { if case .badGateway(let value) = self { value } else { throw unexpected("badGateway") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.CancelResponse.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(responseId: try request.path("response_id"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.cancelResponse)
        request.path("response_id", path.responseId)
        return request
    }
}

extension Operations.CancelResponse.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .badRequest(let response): try response.encoded(status: 400)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .notFound(let response): try response.encoded(status: 404)
        case .badGateway(let response): try response.encoded(status: 502)
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
        case 502: self = .badGateway(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
