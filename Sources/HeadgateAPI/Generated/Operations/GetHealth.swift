// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// The same as /readyz, under the name that many tools expect.
    ///
    /// `GET /healthz`
    public enum GetHealth {
        public static let id = "getHealth"

        public struct Input {
            /// The request as the server received it; nil in a client.
            package var exchange: ServerExchange?

            public init() {}
        }

        public enum Output {
            /// Yes.
            case ok(Components.Responses.Health)
            /// The gateway is shutting down.
            case serviceUnavailable(Components.Responses.Draining)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .serviceUnavailable: 503
                case .default(let statusCode, _): statusCode
                case .undocumented(let statusCode, _): statusCode
                }
            }

            public var ok: Components.Responses.Health {
                get throws {
                    guard case .ok(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "ok")
                    }
                    return response
                }
            }

            public var serviceUnavailable: Components.Responses.Draining {
                get throws {
                    guard case .serviceUnavailable(let response) = self else {
                        throw UnexpectedResponse.status(statusCode, expected: "serviceUnavailable")
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

extension Operations.GetHealth.Input {
    init(decoding request: IncomingRequest) throws {
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        OutgoingRequest(OperationTable.getHealth)
    }
}

extension Operations.GetHealth.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .serviceUnavailable(let response): try response.encoded(status: 503)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 503: self = .serviceUnavailable(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
