// Generated from openapi.yaml by openapi-generator; do not edit.

public import HeadgateOpenAPI

/// Whatever serves the contract, or stands for a server of it.
nonisolated public protocol APIProtocol: Sendable {
    func welcomeMessage(_ input: Operations.WelcomeMessage.Input) async throws -> Operations.WelcomeMessage.Output
}

/// Whoever implements only some operations, such as a double in a test, throws ``UnimplementedOperation`` in the
/// others.
nonisolated extension APIProtocol {
    public func welcomeMessage(
        _ input: Operations.WelcomeMessage.Input
    ) async throws -> Operations.WelcomeMessage.Output {
        throw UnimplementedOperation(operationID: Operations.WelcomeMessage.id)
    }
}

/// The operations with the parts of their inputs in place of them.
nonisolated extension APIProtocol {
    public func welcomeMessage(
        query: Operations.WelcomeMessage.Input.Query,
        headers: Operations.WelcomeMessage.Input.Headers = .init()
    ) async throws -> Operations.WelcomeMessage.Output {
        try await welcomeMessage(.init(query: query, headers: headers))
    }
}

/// Where the document says that it is served.
nonisolated public enum Servers {
    /// Example service deployment.
    nonisolated public enum Server1 {
        public static func url() throws -> BaseURL {
            BaseURL(endpoint: .tls(host: "example.com", port: 443), pathPrefix: "/api")
        }
    }

    /// Example service deployment.
    public static func server1() throws -> BaseURL {
        try Server1.url()
    }
}

/// The input and the output of each operation.
nonisolated public enum Operations {}

/// What operations share.
nonisolated public enum Components {
    /// The schemas.
    nonisolated public enum Schemas {}
    /// Responses of several operations.
    nonisolated public enum Responses {}
    /// Headers, bodies and responses of several places.
    nonisolated public enum Shared {}
}

nonisolated extension Components.Schemas {
    nonisolated public struct WelcomeMessage: Codable, Hashable, Sendable, JSONWritable {
        public var message: String

        public init(message: String) {
            self.message = message
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case message
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("message", self.message)
            json.endObject()
        }
    }
}

nonisolated extension Operations {
    ///
    /// `GET /v1/welcome_message`
    nonisolated public enum WelcomeMessage {
        public static let id = "welcomeMessage"
        public static let operation = APIOperation(
            id: id,
            method: .get,
            path: "/v1/welcome_message",
            responseContentTypes: ["application/json"])

        nonisolated public struct Input: Hashable, Sendable {
            nonisolated public struct Query: Hashable, Sendable {
                public var name: String

                public init(name: String) {
                    self.name = name
                }
            }

            nonisolated public struct Headers: Hashable, Sendable {
                private var acceptedTypes: AcceptedTypes<Operations.WelcomeMessage.AcceptableContentType>

                /// Media types of the response that the client accepts.
                public var accept: [AcceptHeaderContentType<Operations.WelcomeMessage.AcceptableContentType>] {
                    get { acceptedTypes.values }
                    set { acceptedTypes = .init(newValue) }
                }

                public init(accept: [AcceptHeaderContentType<Operations.WelcomeMessage.AcceptableContentType>]? = nil) {
                    acceptedTypes = .init(accept)
                }

                public func encode(into request: inout OutgoingRequest) {
                    request.accept(acceptedTypes)
                }

                public init(decoding request: IncomingRequest) throws {
                    self.init()
                    acceptedTypes = request.accepted()
                }
            }

            public var query: Query
            public var headers: Headers

            public init(query: Query, headers: Headers = .init()) {
                self.query = query
                self.headers = headers
            }
        }

        nonisolated public enum AcceptableContentType: AcceptableProtocol {
            case json
            case other(String)

            public init(rawValue: String) {
                switch rawValue.lowercased() {
                case "application/json": self = .json
                default: self = .other(rawValue)
                }
            }

            public var rawValue: String {
                switch self {
                case .json: "application/json"
                case .other(let text): text
                }
            }

            public static var allCases: [Self] {
                [.json]
            }
        }

        nonisolated public enum Output {
            /// ok
            nonisolated public struct Ok: Hashable, Sendable {
                nonisolated public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.WelcomeMessage)

                    public var json: Components.Schemas.WelcomeMessage {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body): return try response.json(body)
                        }
                    }

                    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try await Body(decoding: response)
                }
            }

            /// ok
            case ok(Ok)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .undocumented(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Ok {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }
        }
    }
}

nonisolated extension Operations.WelcomeMessage.Input {
    public init(decoding request: IncomingRequest) throws {
        query = Query(name: try request.requiredQuery("name"))
        headers = try Headers(decoding: request)
    }

    public func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(Operations.WelcomeMessage.operation)
        request.query("name", query.name)
        headers.encode(into: &request)
        return request
    }
}

nonisolated extension Operations.WelcomeMessage.Output {
    public func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        default: self = .undocumented(statusCode: response.status, .init(decoding: response))
        }
    }
}
