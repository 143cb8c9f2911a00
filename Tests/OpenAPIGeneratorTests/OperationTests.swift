import Testing

@testable import OpenAPIGenerator

@Suite struct OperationTests {
    private let relay = SampleDocument(
        paths: """
              /things/{thing_id}/parts:
                post:
                  operationId: createPart
                  x-headgate-relay: vendor-parts
                  tags: [sample]
                  summary: Makes a part.
                  parameters:
                    - {name: thing_id, in: path, required: true, schema: {type: string}}
                    - {name: dry_run, in: query, description: Makes nothing., schema: {type: boolean}}
                    - {name: Vendor-Version, in: header, schema: {type: string}}
                  requestBody:
                    required: true
                    content:
                      application/json: {schema: {type: object, additionalProperties: true}}
                  responses:
                    "200":
                      description: The part.
                      headers:
                        x-request-id: {required: true, schema: {type: string}}
                      content:
                        application/json: {schema: {type: object, additionalProperties: true}}
                        text/event-stream: {schema: {type: string}}
                        "audio/*": {}
                    "418": {$ref: "#/components/responses/Refused"}
                    default: {$ref: "#/components/responses/Refused"}
            """,
        components: """
              responses:
                Refused:
                  description: No.
            """)

    @Test func inputHasTheRequestsParts() throws {
        let text = try relay.file("Operations/CreatePart.swift")
        #expect(
            text.hasPrefix(
                """
                // Generated from openapi.yaml by openapi-generator; do not edit.

                internal import HeadgateContract
                public import HeadgateHTTP

                extension Operations {
                    /// Makes a part.
                    ///
                    /// `POST /things/{thing_id}/parts`
                    public enum CreatePart {
                        public static let id = "createPart"

                        public struct Input {
                            public struct Path: Hashable, Sendable {
                                public var thingId: String

                                public init(thingId: String) {
                                    self.thingId = thingId
                                }
                            }

                            public struct Query: Hashable, Sendable {
                                /// Makes nothing.
                                public var dryRun: Bool?

                                public init(dryRun: Bool? = nil) {
                                    self.dryRun = dryRun
                                }
                            }

                            public struct Headers: Hashable, Sendable {
                                public var vendorVersion: String?

                                public init(vendorVersion: String? = nil) {
                                    self.vendorVersion = vendorVersion
                                }

                                func encode(into request: inout OutgoingRequest) {
                                    request.header(HeaderNames.vendorVersion, self.vendorVersion)
                                }

                                init(decoding request: IncomingRequest) throws {
                                    self.init(vendorVersion: try request.header(HeaderNames.vendorVersion))
                                }
                            }

                            public enum Body {
                                case json(HTTPBody)

                                func encode(into request: inout OutgoingRequest) {
                                    switch self {
                                    case .json(let body): request.json(body)
                                    }
                                }
                            }

                            public var path: Path
                            public var query: Query
                            public var headers: Headers
                            public var body: Body
                            /// The request as the server received it; nil in a client.
                            package var exchange: ServerExchange?

                            public init(path: Path, query: Query = .init(), headers: Headers = .init(), body: Body) {
                """))
        #expect(
            text.contains(
                """
                extension Operations.CreatePart.Input {
                    init(decoding request: IncomingRequest) throws {
                        path = Path(thingId: try request.path("thing_id"))
                        query = Query(dryRun: try request.query("dry_run"))
                        headers = try Headers(decoding: request)
                        body = .json(try request.body())
                        exchange = request.exchange
                    }

                    func encoded() -> OutgoingRequest {
                        var request = OutgoingRequest(OperationTable.createPart)
                        request.path("thing_id", path.thingId)
                        request.query("dry_run", query.dryRun)
                        headers.encode(into: &request)
                        body.encode(into: &request)
                        return request
                    }
                }
                """))
    }

    @Test func outputHasACaseForEachStatus() throws {
        let text = try relay.file("Operations/CreatePart.swift")
        #expect(
            text.contains(
                """
                            /// The part.
                            case ok(Ok)
                            /// No.
                            case code418(Components.Responses.Refused)
                            /// No.
                            case `default`(statusCode: Int, Components.Responses.Refused)
                            /// Fields or a body that the contract does not spell out.
                            case undocumented(statusCode: Int, UndocumentedPayload)
                """))
        #expect(
            text.contains(
                """
                            public var ok: Ok {
                                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
                            }
                """))
        #expect(
            text.hasSuffix(
                """
                    init(decoding response: IncomingResponse) async throws {
                        switch response.status {
                        case 200: self = .ok(try await .init(decoding: response))
                        case 418: self = .code418(try await .init(decoding: response))
                        default: self = .default(statusCode: response.status, try await .init(decoding: response))
                        }
                    }
                }

                """))
    }

    @Test func relayedBodiesAreBytes() throws {
        let text = try relay.file("Operations/CreatePart.swift")
        #expect(
            text.contains(
                """
                                    case json(HTTPBody)
                                    case textEventStream(HTTPBody)
                                    case audio(HTTPBody, contentType: String)
                """))
        #expect(
            text.contains(
                """
                                        case "text/event-stream": self = .textEventStream(try response.bytes())
                                        case let type where type.hasPrefix("audio/"):
                                            self = .audio(try response.bytes(), contentType: type)
                                        default: throw response.unexpectedContentType
                """))
    }

    @Test func sharedResponseWithoutABody() throws {
        #expect(
            try relay.file("Responses/RefusedResponse.swift").contains(
                """
                    /// No.
                    public struct Refused: Hashable, Sendable {
                        public init() {}

                        func encoded(status: Int) throws -> RawResponse {
                            OutgoingResponse(status: status).empty()
                        }

                        init(decoding response: IncomingResponse) async throws {
                        }
                    }
                """))
    }

    @Test func tableMatchesTheContract() throws {
        #expect(
            try relay.file("OperationTable.swift").hasSuffix(
                """
                package enum OperationTable {
                    package static let all = [
                        createPart,
                    ]

                    package static let createPart = OperationDescription(
                        id: "createPart",
                        method: .post,
                        paths: ["/v1/things/{thing_id}/parts", "/things/{thing_id}/parts"],
                        authentication: .none,
                        requestBody: .json,
                        relay: .vendorParts,
                        responseContentTypes: ["application/json", "text/event-stream", "audio/*"]
                    )
                }

                /// What the body of a relayed operation is, as `x-headgate-relay` names it.
                package enum RelayDialect: String, Sendable, CaseIterable {
                    case vendorParts = "vendor-parts"
                }

                """))
    }

    @Test func everyOperationIsInTheProtocolTheClientAndTheRegistration() throws {
        #expect(
            try relay.file("APIProtocol.swift").hasSuffix(
                """
                public protocol APIProtocol: Sendable {
                    /// Makes a part.
                    func createPart(_ input: Operations.CreatePart.Input) async throws -> Operations.CreatePart.Output
                }

                """))
        #expect(
            try relay.file("ServerRegistration.swift").contains(
                """
                        try transport.register(OperationTable.createPart) { request, body, metadata in
                            try await createPart(.init(decoding: .init(request, body, metadata))).encoded()
                        }
                """))
        #expect(
            try relay.file("Client.swift").contains(
                """
                    public func createPart(_ input: Operations.CreatePart.Input) async throws \
                -> Operations.CreatePart.Output {
                        try await .init(decoding: sender.send(input.encoded(), operationID: Operations.CreatePart.id))
                    }
                """))
    }

    @Test func headerNamesAreSharedAndInLowerCase() throws {
        #expect(
            try relay.file("HeaderNames.swift").hasSuffix(
                """
                enum HeaderNames {
                    static let vendorVersion = HTTPField.Name("vendor-version")!
                    static let xRequestId = HTTPField.Name("x-request-id")!
                }

                """))
    }

    @Test func securityAndServersOfAPathOrAnOperationComeFirst() throws {
        let document = SampleDocument(
            paths: """
                  /alive:
                    servers: [{url: /}]
                    get:
                      operationId: isAlive
                      summary: Whether it lives.
                      security: [{key: []}]
                      responses: {"204": {description: Yes.}}
                """)
        let text = try document.file("OperationTable.swift")
        #expect(text.contains("paths: [\"/alive\"],\n"))
        #expect(text.contains("authentication: .key,\n"))
        #expect(text.contains("relay: nil,\n"))
    }
}
