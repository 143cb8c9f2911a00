// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// The content of one of the latest requests.
    ///
    /// `GET /admin/requests/{number}`
    public enum InspectRequest {
        public static let id = "inspectRequest"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The member `inspection` of a request in `/status/data`.
                public var number: String

                public init(number: String) {
                    self.number = number
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
            /// The client's request, the request to each upstream, and the response with its times.
            public struct Ok: Hashable, Sendable {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.InspectedRequest)

                    public var json: Components.Schemas.InspectedRequest {
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

            /// The client's request, the request to each upstream, and the response with its times.
            case ok(Ok)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// This key may not use that model or see that data, the request came from a foreign web page, or the
            /// upstream refused what was asked, such as a region, a content or a project, in its own words.
            case forbidden(Components.Responses.Forbidden)
            /// The gateway stores no content of requests, or newer requests have displaced this one.
            case notFound(Components.Responses.NotInspected)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .unauthorized: 401
                case .forbidden: 403
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

            public var unauthorized: Components.Responses.Unauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var forbidden: Components.Responses.Forbidden {
                get throws { if case .forbidden(let value) = self { value } else { throw unexpected("forbidden") } }
            }

            public var notFound: Components.Responses.NotInspected {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.InspectRequest.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(number: try request.path("number"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.inspectRequest)
        request.path("number", path.number)
        return request
    }
}

extension Operations.InspectRequest.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .forbidden(let response): try response.encoded(status: 403)
        case .notFound(let response): try response.encoded(status: 404)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 401: self = .unauthorized(try await .init(decoding: response))
        case 403: self = .forbidden(try await .init(decoding: response))
        case 404: self = .notFound(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
