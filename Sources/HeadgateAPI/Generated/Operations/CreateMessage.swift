// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// A message, whole or as a stream.
    ///
    /// `POST /messages`
    public enum CreateMessage {
        public static let id = "createMessage"

        public struct Input {
            public typealias Headers = Components.Shared.AnthropicVersionAnthropicBetaAnd2MoreRequestHeaders
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
            public struct Ok {
                public struct Headers: Hashable, Sendable {
                    /// Names this request in the gateway's log.
                    public var xRequestId: String?
                    /// Names this request in the gateway's log.
                    public var requestId: String?
                    /// The name of the upstream that it comes from. This and the other fields of the gateway's own can
                    /// be turned off.
                    public var xHeadgateUpstream: String?
                    /// How many requests were sent for it, where it took more than one.
                    public var xHeadgateAttempts: Int?
                    /// What it has cost in USD, a decimal number, where that is known. Only of whole answers.
                    public var xHeadgateCostUsd: String?
                    /// The part of a budget that was used before the request, from 0.8 on, of its key, its group or
                    /// all.
                    public var xHeadgateBudgetUsed: String?
                    /// Why it does not come from a better place: `offline` where nothing but this machine could be
                    /// reached.
                    public var xHeadgateDegraded: String?
                    /// Where it comes from, of a model with a `cache`.
                    public var xHeadgateCache: String?
                    /// For how many seconds it has been in the cache, of a `hit`.
                    public var age: Int?

                    public init(
                        xRequestId: String? = nil,
                        requestId: String? = nil,
                        xHeadgateUpstream: String? = nil,
                        xHeadgateAttempts: Int? = nil,
                        xHeadgateCostUsd: String? = nil,
                        xHeadgateBudgetUsed: String? = nil,
                        xHeadgateDegraded: String? = nil,
                        xHeadgateCache: String? = nil,
                        age: Int? = nil
                    ) {
                        self.xRequestId = xRequestId
                        self.requestId = requestId
                        self.xHeadgateUpstream = xHeadgateUpstream
                        self.xHeadgateAttempts = xHeadgateAttempts
                        self.xHeadgateCostUsd = xHeadgateCostUsd
                        self.xHeadgateBudgetUsed = xHeadgateBudgetUsed
                        self.xHeadgateDegraded = xHeadgateDegraded
                        self.xHeadgateCache = xHeadgateCache
                        self.age = age
                    }

                    func encoded(status: Int) -> OutgoingResponse {
                        var response = OutgoingResponse(status: status)
                        response.set(HeaderNames.xRequestId, self.xRequestId)
                        response.set(HeaderNames.requestId, self.requestId)
                        response.set(HeaderNames.xHeadgateUpstream, self.xHeadgateUpstream)
                        response.set(HeaderNames.xHeadgateAttempts, self.xHeadgateAttempts)
                        response.set(HeaderNames.xHeadgateCostUsd, self.xHeadgateCostUsd)
                        response.set(HeaderNames.xHeadgateBudgetUsed, self.xHeadgateBudgetUsed)
                        response.set(HeaderNames.xHeadgateDegraded, self.xHeadgateDegraded)
                        response.set(HeaderNames.xHeadgateCache, self.xHeadgateCache)
                        response.set(HeaderNames.age, self.age)
                        return response
                    }

                    init(decoding response: IncomingResponse) {
                        self.init(
                            xRequestId: response.header(HeaderNames.xRequestId),
                            requestId: response.header(HeaderNames.requestId),
                            xHeadgateUpstream: response.header(HeaderNames.xHeadgateUpstream),
                            xHeadgateAttempts: response.header(HeaderNames.xHeadgateAttempts),
                            xHeadgateCostUsd: response.header(HeaderNames.xHeadgateCostUsd),
                            xHeadgateBudgetUsed: response.header(HeaderNames.xHeadgateBudgetUsed),
                            xHeadgateDegraded: response.header(HeaderNames.xHeadgateDegraded),
                            xHeadgateCache: response.header(HeaderNames.xHeadgateCache),
                            age: response.header(HeaderNames.age))
                    }
                }

                public typealias Body = Components.Shared.JsonTextEventStreamExplanationResponseBody

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
                    body = try Body(decoding: response)
                }
            }

            /// The message of the model.
            case ok(Ok)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.AnthropicBadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.AnthropicUnauthorized)
            /// This key may not use that model or see that data, the request came from a foreign web page, or the
            /// upstream refused what was asked, such as a region, a content or a project, in its own words.
            case forbidden(Components.Responses.AnthropicForbidden)
            /// No such model is configured (the message names the one that was asked for), or the request is to be
            /// answered from a recording
            /// and none is of it (code `not_recorded`).
            case notFound(Components.Responses.AnthropicUnknownModel)
            /// The body is larger than the configured limit.
            case contentTooLarge(Components.Responses.AnthropicTooLarge)
            /// The body is not application/json, or is compressed in another way than gzip, deflate or zstd.
            case unsupportedMediaType(Components.Responses.AnthropicNotJSON)
            /// A limit of the key, its group or the model is reached (`rate_limit_exceeded`), a budget is used up
            /// (`budget_exceeded`), the
            /// upstream wants fewer requests, or too many wrong keys came from this address (`too_many_wrong_keys`).
            case tooManyRequests(Components.Responses.AnthropicTooManyRequests)
            /// The upstream could not be reached, refused the gateway's own key (`upstream_auth`), or sent what cannot
            /// be relayed.
            case badGateway(Components.Responses.AnthropicUpstreamFailed)
            /// The upstream is starting or overloaded, no target of the model takes requests now
            /// (`no_target_available`), or the gateway
            /// is shutting down or at its connection limit.
            case serviceUnavailable(Components.Responses.AnthropicNotReady)
            /// The upstream did not answer in time, or all attempts together took longer than the model's configuration
            /// allows
            /// (`request_timeout`).
            case gatewayTimeout(Components.Responses.AnthropicUpstreamTimeout)
            /// Another error of the gateway, or of the upstream with its status, message and type.
            case `default`(statusCode: Int, Components.Responses.AnthropicOtherError)
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

            public var badRequest: Components.Responses.AnthropicBadRequest {
                get throws { if case .badRequest(let value) = self { value } else { throw unexpected("badRequest") } }
            }

            public var unauthorized: Components.Responses.AnthropicUnauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var forbidden: Components.Responses.AnthropicForbidden {
                get throws { if case .forbidden(let value) = self { value } else { throw unexpected("forbidden") } }
            }

            public var notFound: Components.Responses.AnthropicUnknownModel {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var contentTooLarge: Components.Responses.AnthropicTooLarge {
                get throws {
                    if case .contentTooLarge(let value) = self { value } else { throw unexpected("contentTooLarge") }
                }
            }

            public var unsupportedMediaType: Components.Responses.AnthropicNotJSON {
                get throws {
                    if case .unsupportedMediaType(let value) = self { return value }
                    throw unexpected("unsupportedMediaType")
                }
            }

            public var tooManyRequests: Components.Responses.AnthropicTooManyRequests {
                get throws {
                    if case .tooManyRequests(let value) = self { value } else { throw unexpected("tooManyRequests") }
                }
            }

            public var badGateway: Components.Responses.AnthropicUpstreamFailed {
                get throws { if case .badGateway(let value) = self { value } else { throw unexpected("badGateway") } }
            }

            public var serviceUnavailable: Components.Responses.AnthropicNotReady {
                get throws {
                    if case .serviceUnavailable(let value) = self { return value }
                    throw unexpected("serviceUnavailable")
                }
            }

            public var gatewayTimeout: Components.Responses.AnthropicUpstreamTimeout {
                get throws {
                    if case .gatewayTimeout(let value) = self { value } else { throw unexpected("gatewayTimeout") }
                }
            }

            public var `default`: Components.Responses.AnthropicOtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.CreateMessage.Input {
    init(decoding request: IncomingRequest) throws {
        headers = try Headers(decoding: request)
        body = .json(try request.body())
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.createMessage)
        headers.encode(into: &request)
        body.encode(into: &request)
        return request
    }
}

extension Operations.CreateMessage.Output {
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
