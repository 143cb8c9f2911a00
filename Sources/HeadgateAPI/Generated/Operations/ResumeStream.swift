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
                public struct Headers: Hashable, Sendable {
                    /// Names this request in the gateway's log.
                    public var xRequestId: String?

                    public init(xRequestId: String? = nil) {
                        self.xRequestId = xRequestId
                    }
                }

                public enum Body {
                    case textEventStream(HTTPBody)

                    public var textEventStream: HTTPBody {
                        get throws {
                            switch self {
                            case .textEventStream(let body): return body
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
                    switch body {
                    case .textEventStream(let body):
                        return response.bytes(body, contentType: "text/event-stream")
                    }
                }

                init(decoding response: IncomingResponse) async throws {
                    headers = Headers(xRequestId: response.header(HeaderNames.xRequestId))
                    switch response.mediaType {
                    case "text/event-stream": body = .textEventStream(try response.bytes())
                    default: throw response.unexpectedContentType
                    }
                }
            }

            /// The client has all of the stream, which has ended.
            public struct NoContent: Hashable, Sendable {
                public struct Headers: Hashable, Sendable {
                    /// Names this request in the gateway's log.
                    public var xRequestId: String?

                    public init(xRequestId: String? = nil) {
                        self.xRequestId = xRequestId
                    }
                }

                public var headers: Headers

                public init(headers: Headers = .init()) {
                    self.headers = headers
                }

                func encoded(status: Int) throws -> RawResponse {
                    var response = OutgoingResponse(status: status)
                    response.set(HeaderNames.xRequestId, headers.xRequestId)
                    return response.empty()
                }

                init(decoding response: IncomingResponse) async throws {
                    headers = Headers(xRequestId: response.header(HeaderNames.xRequestId))
                }
            }

            /// The next events are no longer kept, since the stream is longer than its buffer; or the gateway that read
            /// it is gone.
            public struct Gone: Hashable, Sendable {
                public struct Headers: Hashable, Sendable {
                    /// Names this request in the gateway's log.
                    public var xRequestId: String?

                    public init(xRequestId: String? = nil) {
                        self.xRequestId = xRequestId
                    }
                }

                public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.Error)

                    public var json: Components.Schemas.Error {
                        get throws {
                            switch self {
                            case .json(let body): return body
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
                    switch body {
                    case .json(let body): return try response.json(body)
                    }
                }

                init(decoding response: IncomingResponse) async throws {
                    headers = Headers(xRequestId: response.header(HeaderNames.xRequestId))
                    switch response.mediaType {
                    case "application/json": body = .json(try await response.json())
                    default: throw response.unexpectedContentType
                    }
                }
            }

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

            public var ok: Ok {
                get throws {
                    guard case .ok(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "ok")
                    }
                    return response
                }
            }

            public var noContent: NoContent {
                get throws {
                    guard case .noContent(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "noContent")
                    }
                    return response
                }
            }

            public var badRequest: Components.Responses.BadRequest {
                get throws {
                    guard case .badRequest(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "badRequest")
                    }
                    return response
                }
            }

            public var unauthorized: Components.Responses.Unauthorized {
                get throws {
                    guard case .unauthorized(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "unauthorized")
                    }
                    return response
                }
            }

            public var notFound: Components.Responses.UnknownStream {
                get throws {
                    guard case .notFound(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "notFound")
                    }
                    return response
                }
            }

            public var gone: Gone {
                get throws {
                    guard case .gone(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "gone")
                    }
                    return response
                }
            }

            public var `default`: Components.Responses.OtherError {
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

extension Operations.ResumeStream.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(requestId: try request.path("request_id"))
        query = Query(lastEventId: try request.query("last_event_id"))
        headers = Headers(lastEventId: try request.header(HeaderNames.lastEventId))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.resumeStream)
        request.path("request_id", path.requestId)
        request.query("last_event_id", query.lastEventId)
        request.header(HeaderNames.lastEventId, headers.lastEventId)
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
