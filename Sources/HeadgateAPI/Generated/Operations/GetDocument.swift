// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract
public import HeadgateHTTP

extension Operations {
    /// This document.
    ///
    /// `GET /openapi.yaml`
    public enum GetDocument {
        public static let id = "getDocument"

        public struct Input {
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init() {}
        }

        public enum Output {
            /// The document as it was written.
            public struct Ok {
                public typealias Headers = Components.Shared.XRequestIdResponseHeaders

                public enum Body {
                    case yaml(HTTPBody)

                    public var yaml: HTTPBody {
                        get throws {
                            switch self {
                            case .yaml(let body): return body
                            }
                        }
                    }

                    func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .yaml(let body): return response.bytes(body, contentType: "application/yaml")
                        }
                    }

                    init(decoding response: IncomingResponse) throws {
                        switch response.mediaType {
                        case "application/yaml": self = .yaml(try response.bytes())
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

            /// The document as it was written.
            case ok(Ok)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
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

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.GetDocument.Input {
    init(decoding request: IncomingRequest) throws {
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        OutgoingRequest(OperationTable.getDocument)
    }
}

extension Operations.GetDocument.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
