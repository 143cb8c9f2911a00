// Generated from openapi.yaml by openapi-generator; do not edit.

internal import HeadgateContract

extension Operations {
    /// Exchanges a pairing code for the key of one device.
    ///
    /// `POST /pairings/{code}`
    public enum RedeemPairing {
        public static let id = "redeemPairing"

        public struct Input {
            public struct Path: Hashable, Sendable {
                /// The code.
                public var code: String

                public init(code: String) {
                    self.code = code
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
            /// The key.
            public typealias Created = Components.Shared.XRequestIdJsonResponse

            /// The key.
            case created(Created)
            /// The code is unknown, has been used, or has expired.
            case notFound(Components.Responses.UnknownPairing)
            /// There is a key with that name already, or it is one of the configuration.
            case conflict(Components.Responses.KeyConflict)
            /// Another error of the gateway, or of the upstream with its status, message, type, param and code.
            case `default`(statusCode: Int, Components.Responses.OtherError)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .created: 201
                case .notFound: 404
                case .conflict: 409
                case .default(let statusCode, _): statusCode
                case .undocumented(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var created: Created {
                get throws { if case .created(let value) = self { value } else { throw unexpected("created") } }
            }

            public var notFound: Components.Responses.UnknownPairing {
                get throws { if case .notFound(let value) = self { value } else { throw unexpected("notFound") } }
            }

            public var conflict: Components.Responses.KeyConflict {
                get throws { if case .conflict(let value) = self { value } else { throw unexpected("conflict") } }
            }

            public var `default`: Components.Responses.OtherError {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

extension Operations.RedeemPairing.Input {
    init(decoding request: IncomingRequest) throws {
        path = Path(code: try request.path("code"))
        exchange = request.exchange
    }

    func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(OperationTable.redeemPairing)
        request.path("code", path.code)
        return request
    }
}

extension Operations.RedeemPairing.Output {
    package func encoded() throws -> RawResponse {
        switch self {
        case .created(let response): try response.encoded(status: 201)
        case .notFound(let response): try response.encoded(status: 404)
        case .conflict(let response): try response.encoded(status: 409)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 201: self = .created(try await .init(decoding: response))
        case 404: self = .notFound(try await .init(decoding: response))
        case 409: self = .conflict(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}
