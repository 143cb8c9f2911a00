import Testing

@testable import OpenAPIGenerator

@Suite struct SchemaTests {
    @Test func closedObjectBecomesACodableStructWithSwiftNames() throws {
        let document = SampleDocument(
            answering: "{$ref: '#/components/schemas/Thing'}",
            components: """
                  schemas:
                    Thing:
                      type: object
                      description: One of many.
                      required: [id, kind, param]
                      properties:
                        id: {type: string, description: Never empty.}
                        kind: {type: string, const: thing}
                        state: {type: string, enum: [on-hold, default]}
                        param: {type: [string, "null"]}
                        owned_by: {type: string}
                        sizes: {type: array, items: {type: integer}}
                        weight: {type: number}
                        is_new: {type: boolean}
                """)
        #expect(
            try document.file("Schemas/ThingSchema.swift") == """
                // Generated from openapi.yaml by openapi-generator; do not edit.

                extension Components.Schemas {
                    /// One of many.
                    public struct Thing: Codable, Hashable, Sendable, JSONWritable {
                        public enum KindPayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
                            case thing
                        }

                        public enum StatePayload: String, Codable, Hashable, Sendable, JSONWritable, CaseIterable {
                            case onHold = "on-hold"
                            case `default` = "default"
                        }

                        /// Never empty.
                        public var id: String
                        public var kind: KindPayload
                        public var state: StatePayload?
                        public var param: String?
                        public var ownedBy: String?
                        public var sizes: [Int]?
                        public var weight: Double?
                        public var isNew: Bool?

                        public init(
                            id: String,
                            kind: KindPayload = .thing,
                            state: StatePayload? = nil,
                            param: String? = nil,
                            ownedBy: String? = nil,
                            sizes: [Int]? = nil,
                            weight: Double? = nil,
                            isNew: Bool? = nil
                        ) {
                            self.id = id
                            self.kind = kind
                            self.state = state
                            self.param = param
                            self.ownedBy = ownedBy
                            self.sizes = sizes
                            self.weight = weight
                            self.isNew = isNew
                        }

                        private enum CodingKeys: String, CodingKey {
                            case id
                            case kind
                            case state
                            case param
                            case ownedBy = "owned_by"
                            case sizes
                            case weight
                            case isNew = "is_new"
                        }

                        public func encode(to encoder: any Encoder) throws {
                            var container = encoder.container(keyedBy: CodingKeys.self)
                            try container.encode(id, forKey: .id)
                            try container.encode(kind, forKey: .kind)
                            try container.encodeIfPresent(state, forKey: .state)
                            try container.encode(param, forKey: .param)
                            try container.encodeIfPresent(ownedBy, forKey: .ownedBy)
                            try container.encodeIfPresent(sizes, forKey: .sizes)
                            try container.encodeIfPresent(weight, forKey: .weight)
                            try container.encodeIfPresent(isNew, forKey: .isNew)
                        }

                        public func write(to json: inout JSONText) throws {
                            json.beginObject()
                            try json.member("id", self.id)
                            try json.member("is_new", ifPresent: self.isNew)
                            try json.member("kind", self.kind)
                            try json.member("owned_by", ifPresent: self.ownedBy)
                            try json.member("param", self.param)
                            try json.member("sizes", ifPresent: self.sizes)
                            try json.member("state", ifPresent: self.state)
                            try json.member("weight", ifPresent: self.weight)
                            json.endObject()
                        }
                    }
                }

                """)
    }

    @Test func membersAreWrittenInByteOrderWithEscapes() throws {
        let text = try SampleDocument(
            answering: "{type: object, properties: "
                + #"{"q\"\\\t\u0001": {type: string}, a: {type: string}, Z: {type: string}}}"#
        ).file("Operations/ListThings.swift")
        let lines = text.split(separator: "\n").filter { $0.contains("json.member(") }
        #expect(
            lines.map { $0.drop { $0 == " " } } == [
                #"try json.member("Z", ifPresent: self.z)"#, #"try json.member("a", ifPresent: self.a)"#,
                #"try json.member("q\\\"\\\\\\t\\u0001", ifPresent: self.q)"#,
            ])
    }

    @Test func objectWithoutAName() throws {
        let text = try SampleDocument(
            answering: "{type: object, required: [a], properties: {a: {type: object, properties: {b: {type: string}}}}}"
        ).file("Operations/ListThings.swift")
        #expect(text.contains("public struct JsonPayload: Codable, Hashable, Sendable, JSONWritable {"))
        #expect(text.contains("public struct APayload: Codable, Hashable, Sendable, JSONWritable {"))
        #expect(text.contains("public var a: APayload\n"))
        #expect(text.contains("case json(JsonPayload)\n"))
    }

    @Test func choiceTriesItsSchemasInOrder() throws {
        let document = SampleDocument(
            answering: "{oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}",
            components: """
                  schemas:
                    A: {type: object, properties: {a: {type: string}}}
                    B: {type: object, properties: {b: {type: string}}}
                """)
        #expect(
            try document.file("Operations/ListThings.swift").contains(
                """
                                    public enum JsonPayload: Codable, Hashable, Sendable, JSONWritable {
                                        case a(Components.Schemas.A)
                                        case b(Components.Schemas.B)

                                        public init(from decoder: any Decoder) throws {
                                            if let value = try? Components.Schemas.A(from: decoder) {
                                                self = .a(value)
                                                return
                                            }
                                            self = .b(try .init(from: decoder))
                                        }

                                        public func encode(to encoder: any Encoder) throws {
                                            switch self {
                                            case .a(let value): try value.encode(to: encoder)
                                            case .b(let value): try value.encode(to: encoder)
                                            }
                                        }

                                        public func write(to json: inout JSONText) throws {
                                            switch self {
                                            case .a(let value): try value.write(to: &json)
                                            case .b(let value): try value.write(to: &json)
                                            }
                                        }
                                    }
                """))
    }

    @Test func schemasOutsideDecodedBodiesAreOmitted() throws {
        let document = SampleDocument(
            answering: "{$ref: '#/components/schemas/Open'}",
            components: """
                  schemas:
                    Open: {type: object, additionalProperties: true, properties: {inner: {$ref: "#/components/schemas/A"}}}
                    A: {type: object}
                """)
        let files = try SourceGenerator.files(of: document.yaml, named: "openapi.yaml")
        #expect(!files.contains { $0.path.hasPrefix("Schemas/") })
        #expect(try document.file("Operations/ListThings.swift").contains("case json(HTTPBody)\n"))
    }

    @Test func nullableSchemaWithANameMakesItsPropertyOptional() throws {
        let document = SampleDocument(
            answering: "{type: object, required: [a], properties: {a: {$ref: '#/components/schemas/A'}}}",
            components: """
                  schemas:
                    A: {type: [object, "null"], properties: {b: {type: string}}}
                """)
        let text = try document.file("Operations/ListThings.swift")
        #expect(text.contains("public var a: Components.Schemas.A?\n"))
        #expect(text.contains("try container.encode(a, forKey: .a)\n"))
    }
}
