// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract
public import HeadgateHTTP

extension Operations {
    /// How many tokens a message would take in.
    ///
    /// `POST /messages/count_tokens`
    public enum CountMessageTokens {
        public static let id = "countMessageTokens"

        public struct Input {
            public struct Headers: Hashable, Sendable {
                /// The version of Anthropic's API, passed on as it is.
                public var anthropicVersion: String?
                /// Names of beta features, passed on as they are.
                public var anthropicBeta: String?
                /// `1` asks what would happen to this very request, which is not sent: the answer is an explanation. It
                /// needs a key with
                /// `admin: true`, or to be the only caller of the gateway.
                public var xHeadgateExplain: String?
                /// What is to go wrong with this request, for tests. It means something only where the configuration
                /// says
                /// `fault_injection: {enabled: true}`, and there needs a key with `admin: true`, or to be the only
                /// caller of the gateway.
                public var xHeadgateFault: String?

                public init(
                    anthropicVersion: String? = nil,
                    anthropicBeta: String? = nil,
                    xHeadgateExplain: String? = nil,
                    xHeadgateFault: String? = nil
                ) {
                    self.anthropicVersion = anthropicVersion
                    self.anthropicBeta = anthropicBeta
                    self.xHeadgateExplain = xHeadgateExplain
                    self.xHeadgateFault = xHeadgateFault
                }
            }

            public enum Body {
                case json(HTTPBody)
            }

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
            /// The count of the upstream.
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

                    public init(
                        xRequestId: String? = nil,
                        requestId: String? = nil,
                        xHeadgateUpstream: String? = nil,
                        xHeadgateAttempts: Int? = nil,
                        xHeadgateCostUsd: String? = nil,
                        xHeadgateBudgetUsed: String? = nil,
                        xHeadgateDegraded: String? = nil
                    ) {
                        self.xRequestId = xRequestId
                        self.requestId = requestId
                        self.xHeadgateUpstream = xHeadgateUpstream
                        self.xHeadgateAttempts = xHeadgateAttempts
                        self.xHeadgateCostUsd = xHeadgateCostUsd
                        self.xHeadgateBudgetUsed = xHeadgateBudgetUsed
                        self.xHeadgateDegraded = xHeadgateDegraded
                    }
                }

                public enum Body {
                    case json(HTTPBody)
                    case explanation(HTTPBody)

                    public var json: HTTPBody {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            default: throw UnexpectedResponse.body(expected: "json")
                            }
                        }
                    }

                    public var explanation: HTTPBody {
                        get throws {
                            switch self {
                            case .explanation(let body): return body
                            default: throw UnexpectedResponse.body(expected: "explanation")
                            }
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
                    var response = OutgoingResponse(status: status)
                    response.set(HeaderNames.xRequestId, headers.xRequestId)
                    response.set(HeaderNames.requestId, headers.requestId)
                    response.set(HeaderNames.xHeadgateUpstream, headers.xHeadgateUpstream)
                    response.set(HeaderNames.xHeadgateAttempts, headers.xHeadgateAttempts)
                    response.set(HeaderNames.xHeadgateCostUsd, headers.xHeadgateCostUsd)
                    response.set(HeaderNames.xHeadgateBudgetUsed, headers.xHeadgateBudgetUsed)
                    response.set(HeaderNames.xHeadgateDegraded, headers.xHeadgateDegraded)
                    switch body {
                    case .json(let body):
                        return response.bytes(body, contentType: "application/json")
                    case .explanation(let body):
                        return response.bytes(body, contentType: "application/vnd.headgate.explanation+json")
                    }
                }

                init(decoding response: IncomingResponse) async throws {
                    headers = Headers(
                        xRequestId: response.header(HeaderNames.xRequestId),
                        requestId: response.header(HeaderNames.requestId),
                        xHeadgateUpstream: response.header(HeaderNames.xHeadgateUpstream),
                        xHeadgateAttempts: response.header(HeaderNames.xHeadgateAttempts),
                        xHeadgateCostUsd: response.header(HeaderNames.xHeadgateCostUsd),
                        xHeadgateBudgetUsed: response.header(HeaderNames.xHeadgateBudgetUsed),
                        xHeadgateDegraded: response.header(HeaderNames.xHeadgateDegraded))
                    switch response.mediaType {
                    case "application/json": body = .json(try response.bytes())
                    case "application/vnd.headgate.explanation+json": body = .explanation(try response.bytes())
                    default: throw response.unexpectedContentType
                    }
                }
            }

            /// The count of the upstream.
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
            /// The body is not application/json, or is compressed.
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

            public var ok: Ok {
                get throws {
                    guard case .ok(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "ok")
                    }
                    return response
                }
            }

            public var badRequest: Components.Responses.AnthropicBadRequest {
                get throws {
                    guard case .badRequest(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "badRequest")
                    }
                    return response
                }
            }

            public var unauthorized: Components.Responses.AnthropicUnauthorized {
                get throws {
                    guard case .unauthorized(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "unauthorized")
                    }
                    return response
                }
            }

            public var forbidden: Components.Responses.AnthropicForbidden {
                get throws {
                    guard case .forbidden(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "forbidden")
                    }
                    return response
                }
            }

            public var notFound: Components.Responses.AnthropicUnknownModel {
                get throws {
                    guard case .notFound(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "notFound")
                    }
                    return response
                }
            }

            public var contentTooLarge: Components.Responses.AnthropicTooLarge {
                get throws {
                    guard case .contentTooLarge(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "contentTooLarge")
                    }
                    return response
                }
            }

            public var unsupportedMediaType: Components.Responses.AnthropicNotJSON {
                get throws {
                    guard case .unsupportedMediaType(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "unsupportedMediaType")
                    }
                    return response
                }
            }

            public var tooManyRequests: Components.Responses.AnthropicTooManyRequests {
                get throws {
                    guard case .tooManyRequests(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "tooManyRequests")
                    }
                    return response
                }
            }

            public var badGateway: Components.Responses.AnthropicUpstreamFailed {
                get throws {
                    guard case .badGateway(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "badGateway")
                    }
                    return response
                }
            }

            public var serviceUnavailable: Components.Responses.AnthropicNotReady {
                get throws {
                    guard case .serviceUnavailable(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "serviceUnavailable")
                    }
                    return response
                }
            }

            public var gatewayTimeout: Components.Responses.AnthropicUpstreamTimeout {
                get throws {
                    guard case .gatewayTimeout(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "gatewayTimeout")
                    }
                    return response
                }
            }

            public var `default`: Components.Responses.AnthropicOtherError {
                get throws {
                    guard case .default(_, let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "default")
                    }
                    return response
                }
            }
        }
    }
}

extension Operations.CountMessageTokens.Input {
    init(decoding request: IncomingRequest) throws {
        headers = Headers(
            anthropicVersion: try request.header(HeaderNames.anthropicVersion),
            anthropicBeta: try request.header(HeaderNames.anthropicBeta),
            xHeadgateExplain: try request.header(HeaderNames.xHeadgateExplain),
            xHeadgateFault: try request.header(HeaderNames.xHeadgateFault))
        body = .json(try request.body())
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.countMessageTokens)
        request.header(HeaderNames.anthropicVersion, headers.anthropicVersion)
        request.header(HeaderNames.anthropicBeta, headers.anthropicBeta)
        request.header(HeaderNames.xHeadgateExplain, headers.xHeadgateExplain)
        request.header(HeaderNames.xHeadgateFault, headers.xHeadgateFault)
        switch body {
        case .json(let body): request.json(body)
        }
        return request
    }
}

extension Operations.CountMessageTokens.Output {
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
