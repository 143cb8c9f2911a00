// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// A response that the upstream or the gateway has kept, or the rest of its stream.
    ///
    /// `GET /responses/{response_id}`
    public enum RetrieveResponse {
        public static let id = "retrieveResponse"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The `id` of a response.
                public var responseId: String

                public init(responseId: String) {
                    self.responseId = responseId
                }
            }

            public struct Query: Hashable, Sendable {
                /// Whether the answer is the stream of a background response.
                public var stream: Bool?
                /// The sequence number of the last event that is not wanted again.
                public var startingAfter: Int?

                public init(stream: Bool? = nil, startingAfter: Int? = nil) {
                    self.stream = stream
                    self.startingAfter = startingAfter
                }
            }

            public var path: Path
            public var query: Query
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(path: Path, query: Query = .init()) {
                self.path = path
                self.query = query
            }
        }

        public enum Output {
            /// The response.
            public struct Ok {
                public typealias Headers = Components.Shared.XRequestIdXHeadgateUpstreamResponseHeaders
                public typealias Body = Components.Shared.JsonTextEventStreamResponseBody

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

            /// The response.
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

extension Operations.RetrieveResponse.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(responseId: try request.path("response_id"))
        query = Query(stream: try request.query("stream"), startingAfter: try request.query("starting_after"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.retrieveResponse)
        request.path("response_id", path.responseId)
        request.query("stream", query.stream)
        request.query("starting_after", query.startingAfter)
        return request
    }
}

extension Operations.RetrieveResponse.Output {
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
