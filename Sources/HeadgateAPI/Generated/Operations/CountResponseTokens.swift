// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// The number of tokens that a response's input would have.
    ///
    /// `POST /responses/input_tokens`
    public enum CountResponseTokens {
        public static let id = "countResponseTokens"

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
            /// The count of the upstream, or the gateway's estimate.
            public typealias Ok = Components.Shared.XRequestIdXHeadgateUpstreamAnd4MoreJsonExplanationResponse

            /// The count of the upstream, or the gateway's estimate.
            case ok(Ok)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// This key may not use that model or see that data, the request came from a foreign web page, or the
            /// upstream refused what was asked, such as a region, a content or a project, in its own words.
            case forbidden(Components.Responses.Forbidden)
            /// No such model is configured, or the request goes on from a response that this key may not reach.
            case notFound(Components.Responses.UnknownModelOrResponse)
            /// The body is larger than the configured limit.
            case contentTooLarge(Components.Responses.TooLarge)
            /// The body is not application/json, or is compressed in another way than gzip, deflate or zstd.
            case unsupportedMediaType(Components.Responses.NotJSON)
            /// A limit of the key, its group or the model is reached (`rate_limit_exceeded`), a budget is used up
            /// (`budget_exceeded`), the
            /// upstream wants fewer requests, or too many wrong keys came from this address (`too_many_wrong_keys`).
            case tooManyRequests(Components.Responses.TooManyRequests)
            /// The upstream could not be reached, refused the gateway's own key (`upstream_auth`), or sent what cannot
            /// be relayed.
            case badGateway(Components.Responses.UpstreamFailed)
            /// The upstream is starting or overloaded, no target of the model takes requests now
            /// (`no_target_available`), it is not
            /// known what is left of a strict budget (`budget_unavailable`), or the gateway is shutting down or at its
            /// connection limit.
            case serviceUnavailable(Components.Responses.NotReady)
            /// The upstream did not answer in time, or all attempts together took longer than the model's configuration
            /// allows
            /// (`request_timeout`).
            case gatewayTimeout(Components.Responses.UpstreamTimeout)
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

            public var notFound: Components.Responses.UnknownModelOrResponse {
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

            public var tooManyRequests: Components.Responses.TooManyRequests {
                get throws {
                    if case .tooManyRequests(let value) = self { value } else { throw unexpected("tooManyRequests") }
                }
            }

            public var badGateway: Components.Responses.UpstreamFailed {
                get throws { if case .badGateway(let value) = self { value } else { throw unexpected("badGateway") } }
            }

            public var serviceUnavailable: Components.Responses.NotReady {
                get throws {
                    if case .serviceUnavailable(let value) = self { return value }
                    throw unexpected("serviceUnavailable")
                }
            }

            public var gatewayTimeout: Components.Responses.UpstreamTimeout {
                get throws {
                    if case .gatewayTimeout(let value) = self { value } else { throw unexpected("gatewayTimeout") }
                }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.CountResponseTokens.Input {
    init(decoding request: IncomingRequest) throws {
        headers = try Headers(decoding: request)
        body = .json(try request.body())
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.countResponseTokens)
        headers.encode(into: &request)
        body.encode(into: &request)
        return request
    }
}

extension Operations.CountResponseTokens.Output {
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
