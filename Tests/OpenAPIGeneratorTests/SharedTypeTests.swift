import Testing

@testable import OpenAPIGenerator

/// Types that several messages share.
@Suite struct SharedTypeTests {
    /// Two operations with the same headers and bodies, and a response with only the headers.
    private let twins = SampleDocument(
        paths: ["left", "right"].map { SharedTypeTests.operation($0) }.joined(separator: "\n"),
        components: """
              responses:
                Gone:
                  description: No more.
                  headers: {x-trace: {schema: {type: string}}, x-left: {schema: {type: integer}}}
            """)

    private static func operation(_ name: String) -> String {
        """
          /\(name):
            post:
              operationId: \(name)
              summary: To the \(name).
              parameters:
                - {name: Vendor-Version, in: header, description: From \(name)., schema: {type: string}}
              requestBody:
                required: true
                content: {application/json: {schema: {type: object, additionalProperties: true}}}
              responses:
                "200":
                  description: It went \(name).
                  headers:
                    x-trace: {description: The trace of \(name)., schema: {type: string}}
                    x-left: {schema: {type: integer}}
                  content:
                    text/plain: {schema: {type: string}}
                "410": {$ref: "#/components/responses/Gone"}
        """
    }

    @Test func sharedHeaderSetsAreWrittenOnce() throws {
        #expect(
            try twins.file("Shared/XTraceXLeftResponseHeaders.swift").hasSuffix(
                """
                extension Components.Shared {
                    /// Headers of several messages.
                    public struct XTraceXLeftResponseHeaders: Hashable, Sendable {
                        public var xTrace: String?
                        public var xLeft: Int?

                        public init(xTrace: String? = nil, xLeft: Int? = nil) {
                            self.xTrace = xTrace
                            self.xLeft = xLeft
                        }

                        func encoded(status: Int) -> OutgoingResponse {
                            var response = OutgoingResponse(status: status)
                            response.set(HeaderNames.xTrace, self.xTrace)
                            response.set(HeaderNames.xLeft, self.xLeft)
                            return response
                        }

                        init(decoding response: IncomingResponse) {
                            self.init(\
                xTrace: response.header(HeaderNames.xTrace), xLeft: response.header(HeaderNames.xLeft))
                        }
                    }
                }

                """))
        let alias = "public typealias Headers = Components.Shared.XTraceXLeftResponseHeaders\n"
        #expect(try twins.file("Responses/GoneResponse.swift").contains(alias))
        #expect(try twins.file("Shared/XTraceXLeftPlainTextResponse.swift").contains(alias))
        for name in ["Left", "Right"] {
            let text = try twins.file("Operations/\(name).swift")
            #expect(text.contains("public typealias Headers = Components.Shared.VendorVersionRequestHeaders\n"))
            #expect(text.contains("public typealias Body = Components.Shared.JsonRequestBody\n"))
            #expect(text.contains("public typealias Ok = Components.Shared.XTraceXLeftPlainTextResponse\n"))
            #expect(!text.contains("struct Headers") && !text.contains("enum Body"))
            // The file no longer mentions bytes.
            #expect(!text.contains("import HeadgateHTTP"))
        }
        #expect(try twins.file("Shared/VendorVersionRequestHeaders.swift").contains("/// From left.\n"))
        #expect(try twins.file("Shared/PlainTextResponseBody.swift").contains("public import HeadgateHTTP\n"))
    }

    /// Returns a document in which each response has JSON of `{type: string}` with these headers.
    private func document(headers: [String], ids: [String] = ["one", "two", "three"]) -> SampleDocument {
        SampleDocument(
            paths: zip(ids, headers).map { id, headers in
                """
                  /\(id):
                    get:
                      operationId: \(id)
                      summary: It.
                      responses:
                        "200":
                          description: It.
                          headers: {\(headers)}
                          content: {application/json: {schema: {type: string}}}
                """
            }.joined(separator: "\n"))
    }

    private static let (a, b) = ("x-a: {schema: {type: string}}", "x-b: {schema: {type: string}}")

    @Test(arguments: ["\(b), \(a)", "\(a), x-b: {schema: {type: integer}}", "\(a)"])
    func headersOfAnotherOrderOrTypeAreNotShared(other: String) throws {
        let both = "\(Self.a), \(Self.b)"
        let document = document(headers: [both, other, both])
        #expect(try document.file("Operations/Two.swift").contains("public struct Headers: Hashable, Sendable {"))
        let alias = "public typealias Ok = Components.Shared.XAXBJsonStringResponse\n"
        for name in ["One", "Three"] { #expect(try document.file("Operations/\(name).swift").contains(alias)) }
        #expect(try document.file("Operations/Two.swift").contains("Body = Components.Shared.JsonStringResponseBody\n"))
    }

    @Test func longNamesAreTruncatedAndNumbered() throws {
        let start = "\(Self.a), \(Self.b), x-c: {schema: {type: string}}"
        let (first, second) = ("\(start), x-d: {schema: {type: string}}", "\(start), x-e: {schema: {type: string}}")
        let document = document(headers: [first, second, second, first], ids: ["one", "two", "three", "four"])
        let names = try SourceGenerator.files(of: document.yaml, named: "a").map(\.path)
            .filter { $0.hasPrefix("Shared/XAXBAnd2More") }
        #expect(
            names == [
                "Shared/XAXBAnd2MoreJsonStringResponse.swift", "Shared/XAXBAnd2MoreJsonStringResponse2.swift",
                "Shared/XAXBAnd2MoreResponseHeaders.swift", "Shared/XAXBAnd2MoreResponseHeaders2.swift",
            ])
        #expect(try document.file("Operations/Two.swift").contains("JsonStringResponse2\n"))
        #expect(try document.file("Operations/Four.swift").contains("JsonStringResponse\n"))
    }

    @Test func nothingIsSharedIfTheDocumentHidesTheNamespace() throws {
        let document = document(headers: [Self.a, Self.a], ids: ["components", "two"])
        #expect(try document.file("Operations/Two.swift").contains("public struct Headers: Hashable, Sendable {"))
        #expect(try !SourceGenerator.files(of: document.yaml, named: "a").contains { $0.path.hasPrefix("Shared/") })
    }
}
