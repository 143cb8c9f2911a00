// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract
public import HeadgateHTTP

extension Operations {
    /// The rest of a stream whose client had left.
    ///
    /// `GET /streams/{request_id}`
    public enum ResumeStream {
        public static let id = "resumeStream"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The `x-request-id` of the response that the stream is.
                public var requestId: String

                public init(requestId: String) {
                    self.requestId = requestId
                }
            }

            public struct Query: Hashable, Sendable {
                /// The same, for clients that cannot send fields.
                public var lastEventId: String?

                public init(lastEventId: String? = nil) {
                    self.lastEventId = lastEventId
                }
            }

            public struct Headers: Hashable, Sendable {
                /// The id of the last event that the client has.
                public var lastEventId: String?

                public init(lastEventId: String? = nil) {
                    self.lastEventId = lastEventId
                }

                func encode(into request: inout OutgoingRequest) {
                    request.header(HeaderNames.lastEventId, self.lastEventId)
                }

                init(decoding request: IncomingRequest) throws {
                    self.init(lastEventId: try request.header(HeaderNames.lastEventId))
                }
            }

            public var path: Path
            public var query: Query
            public var headers: Headers
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init(path: Path, query: Query = .init(), headers: Headers = .init()) {
                self.path = path
                self.query = query
                self.headers = headers
            }
        }

        public enum Output {
            /// The rest of the stream.
            public struct Ok {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body {
                    case textEventStream(HTTPBody)

                    public var textEventStream: HTTPBody {
                        get throws {
                            switch self {
                            case .textEventStream(let body): return body
                            }
                        }
                    }

                    func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .textEventStream(let body): return response.bytes(body, contentType: "text/event-stream")
                        }
                    }

                    init(decoding response: IncomingResponse) throws {
                        switch response.mediaType {
                        case "text/event-stream": self = .textEventStream(try response.bytes())
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
                    body = try Body(decoding: response)
                }
            }

            /// The client has all of the stream, which has ended.
            public struct NoContent: Hashable, Sendable {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public var headers: Headers

                public init(headers: Headers = .init()) {
                    self.headers = headers
                }

                func encoded(status: Int) throws -> RawResponse {
                    headers.encoded(status: status).empty()
                }

                init(decoding response: IncomingResponse) async throws {
                    headers = Headers(decoding: response)
                }
            }

            /// The next events are no longer kept, since the stream is longer than its buffer; or the gateway that read
            /// it is gone.
            public typealias Gone = Components.Shared.XRequestIdJsonErrorResponse

            /// The rest of the stream.
            case ok(Ok)
            /// The client has all of the stream, which has ended.
            case noContent(NoContent)
            /// The request is malformed, or it needs what the format of the model's upstream does not have; the message
            /// names the place.
            case badRequest(Components.Responses.BadRequest)
            /// No valid gateway key was sent.
            case unauthorized(Components.Responses.Unauthorized)
            /// No such stream, or another key's, or one that was stopped, has expired or was lost with a restart of the
            /// gateway.
            case notFound(Components.Responses.UnknownStream)
            /// The next events are no longer kept, since the stream is longer than its buffer; or the gateway that read
            /// it is gone.
            case gone(Gone)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .noContent: 204
                case .badRequest: 400
                case .unauthorized: 401
                case .notFound: 404
                case .gone: 410
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

            public var noContent: NoContent {
                get throws { if case .noContent(let value) = self { value } else { throw unexpected("noContent") } }
            }

            public var badRequest: Components.Responses.BadRequest {
                get throws { if case .badRequest(let value) = self { value } else { throw unexpected("badRequest") } }
            }

            public var unauthorized: Components.Responses.Unauthorized {
                get throws {
                    if case .unauthorized(let value) = self { value } else { throw unexpected("unauthorized") }
                }
            }

            public var notFound: Components.Responses.UnknownStream {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var gone: Gone {
                get throws { if case .gone(let value) = self { value } else { throw unexpected("gone") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.ResumeStream.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(requestId: try request.path("request_id"))
        query = Query(lastEventId: try request.query("last_event_id"))
        headers = try Headers(decoding: request)
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.resumeStream)
        request.path("request_id", path.requestId)
        request.query("last_event_id", query.lastEventId)
        headers.encode(into: &request)
        return request
    }
}

extension Operations.ResumeStream.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .noContent(let response): try response.encoded(status: 204)
        case .badRequest(let response): try response.encoded(status: 400)
        case .unauthorized(let response): try response.encoded(status: 401)
        case .notFound(let response): try response.encoded(status: 404)
        case .gone(let response): try response.encoded(status: 410)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 204: self = .noContent(try await .init(decoding: response))
        case 400: self = .badRequest(try await .init(decoding: response))
        case 401: self = .unauthorized(try await .init(decoding: response))
        case 404: self = .notFound(try await .init(decoding: response))
        case 410: self = .gone(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
