// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// What requests have used, and what that costs.
    ///
    /// `GET /usage`
    public enum GetUsage {
        public static let id = "getUsage"

        public struct Input {
            public struct Query: Hashable, Sendable {
                /// What rows are made of, `key` without it. Days and minutes are in UTC.
                public var by: String?
                /// How far back, such as `90m`, `24h` or `7d`, which is what it is without it. By minute it is 24
                /// hours, which is the most there.
                public var since: String?

                public init(by: String? = nil, since: String? = nil) {
                    self.by = by
                    self.since = since
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
            /// One row for each that has requests, in the order of their names; of more than 10,000 those with most
            /// requests.
            public struct Ok: Hashable, Sendable {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.UsageReport)

                    public var json: Components.Schemas.UsageReport {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            }
                        }
                    }

                    func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body): return try response.json(body)
                        }
                    }

                    init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        default: throw response.unexpectedContentType
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
                    try body.encoded(in: headers.encoded(status: status))
                }

                init(decoding response: IncomingResponse) async throws {
                    headers = Headers(decoding: response)
                    body = try await Body(decoding: response)
                }
            }

            /// One row for each that has requests, in the order of their names; of more than 10,000 those with most
            /// requests.
            case ok(Ok)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// The gateway keeps no usage.
            case notFound(Components.Responses.UnknownUsage)
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

            public var notFound: Components.Responses.UnknownUsage {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.GetUsage.Input {
    init(decoding request: IncomingRequest) throws {
        query = Query(by: try request.query("by"), since: try request.query("since"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.getUsage)
        request.query("by", query.by)
        request.query("since", query.since)
        return request
    }
}

extension Operations.GetUsage.Output {
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
