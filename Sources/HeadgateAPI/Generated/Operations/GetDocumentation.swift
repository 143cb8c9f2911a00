// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// This document as a page on which every operation can be tried.
    ///
    /// `GET /docs`
    public enum GetDocumentation {
        public static let id = "getDocumentation"

        public struct Input {
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init() {}
        }

        public enum Output {
            /// The page. It loads nothing from elsewhere.
            public typealias Ok = Components.Shared.XRequestIdHtmlResponse

            /// The page. It loads nothing from elsewhere.
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

extension Operations.GetDocumentation.Input {
    init(decoding request: IncomingRequest) throws {
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        OutgoingRequest(OperationTable.getDocumentation)
    }
}

extension Operations.GetDocumentation.Output {
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
