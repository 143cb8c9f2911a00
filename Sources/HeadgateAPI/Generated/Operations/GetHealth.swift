// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// The same as /readyz, under the name that many tools expect.
    ///
    /// `GET /healthz`
    public enum GetHealth {
        public static let id = "getHealth"

        public struct Input {
            public struct Query: Hashable, Sendable {
                /// Asks for more than a word: empty, `1` or `true`. Anything else is ignored.
                public var verbose: String?

                public init(verbose: String? = nil) {
                    self.verbose = verbose
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
            /// Yes.
            case ok(Components.Responses.Ready)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// This key may not use that model or see that data, the request came from a foreign web page, or the
            /// upstream refused what was asked, such as a region, a content or a project, in its own words.
            case forbidden(Components.Responses.Forbidden)
            /// The gateway is shutting down.
            case serviceUnavailable(Components.Responses.Draining)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .unauthorized: 401
                case .forbidden: 403
                case .serviceUnavailable: 503
                case .default(let statusCode, _): statusCode
                case .undocumented(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Components.Responses.Ready {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }

            public var unauthorized: Components.Responses.Unauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var forbidden: Components.Responses.Forbidden {
                get throws { if case .forbidden(let value) = self { value } else { throw unexpected("forbidden") } }
            }

            public var serviceUnavailable: Components.Responses.Draining {
                get throws {
                    if case .serviceUnavailable(let value) = self { return value }
                    throw unexpected("serviceUnavailable")
                }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.GetHealth.Input {
    init(decoding request: IncomingRequest) throws {
        query = Query(verbose: try request.query("verbose"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.getHealth)
        request.query("verbose", query.verbose)
        return request
    }
}

extension Operations.GetHealth.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .forbidden(let response): try response.encoded(status: 403)
        case .serviceUnavailable(let response): try response.encoded(status: 503)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 401: self = .unauthorized(try await .init(decoding: response))
        case 403: self = .forbidden(try await .init(decoding: response))
        case 503: self = .serviceUnavailable(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
