// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract
public import HeadgateHTTP

extension Operations {
    /// A script, style sheet or picture of the page.
    ///
    /// `GET /docs/{asset}`
    public enum GetDocumentationAsset {
        public static let id = "getDocumentationAsset"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The name of the file.
                public var asset: String

                public init(asset: String) {
                    self.asset = asset
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
            /// The file.
            public struct Ok {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body {
                    case javascript(HTTPBody)
                    case css(HTTPBody)
                    case png(HTTPBody)

                    public var javascript: HTTPBody {
                        get throws {
                            if case .javascript(let body) = self { return body }
                            throw UnexpectedResponse.body(expected: "javascript")
                        }
                    }

                    public var css: HTTPBody {
                        get throws {
                            if case .css(let body) = self { return body }
                            throw UnexpectedResponse.body(expected: "css")
                        }
                    }

                    public var png: HTTPBody {
                        get throws {
                            if case .png(let body) = self { return body }
                            throw UnexpectedResponse.body(expected: "png")
                        }
                    }

                    func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .javascript(let body): return response.bytes(body, contentType: "text/javascript")
                        case .css(let body): return response.bytes(body, contentType: "text/css")
                        case .png(let body): return response.bytes(body, contentType: "image/png")
                        }
                    }

                    init(decoding response: IncomingResponse) throws {
                        switch response.mediaType {
                        case "text/javascript": self = .javascript(try response.bytes())
                        case "text/css": self = .css(try response.bytes())
                        case "image/png": self = .png(try response.bytes())
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

            /// The file.
            case ok(Ok)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case notFound(Components.Responses.OtherError)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
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

            public var notFound: Components.Responses.OtherError {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.GetDocumentationAsset.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(asset: try request.path("asset"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.getDocumentationAsset)
        request.path("asset", path.asset)
        return request
    }
}

extension Operations.GetDocumentationAsset.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .notFound(let response): try response.encoded(status: 404)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 404: self = .notFound(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
