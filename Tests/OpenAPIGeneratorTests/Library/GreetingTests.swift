import Testing

@testable import OpenAPIGenerator

/// Code that is generated for a small document.
@Suite struct GreetingTests {
    private func file(_ path: String, access: CodeStyle.Access = .public) throws -> String {
        let files = try SourceGenerator.files(
            of: Documents.text("01-greeting"), named: "openapi.yaml", GeneratorOptions(access: access))
        return try #require(files.first { $0.path == path }).text
    }

    @Test func typesAreNonisolatedWithTheRequestedVisibility() throws {
        let text = try file("Types.swift")
        #expect(
            text.hasPrefix(
                """
                // Generated from openapi.yaml by openapi-generator; do not edit.

                public import HeadgateOpenAPI

                /// Whatever serves the contract, or stands for a server of it.
                nonisolated public protocol APIProtocol: Sendable {
                    func welcomeMessage(_ input: Operations.WelcomeMessage.Input) async throws \
                -> Operations.WelcomeMessage.Output
                }

                """))
        #expect(try !file("Types.swift", access: .internal).contains("public"))
        #expect(try file("Types.swift", access: .package).contains("nonisolated package protocol APIProtocol"))
    }

    @Test func doublesCanOmitOperations() throws {
        #expect(
            try file("Types.swift").contains(
                """
                nonisolated extension APIProtocol {
                    public func welcomeMessage(
                        _ input: Operations.WelcomeMessage.Input
                    ) async throws -> Operations.WelcomeMessage.Output {
                        throw UnimplementedOperation(operationID: Operations.WelcomeMessage.id)
                    }
                }
                """))
    }

    @Test func operationTakesThePartsOfItsInput() throws {
        #expect(
            try file("Types.swift").contains(
                """
                    public func welcomeMessage(
                        query: Operations.WelcomeMessage.Input.Query,
                        headers: Operations.WelcomeMessage.Input.Headers = .init()
                    ) async throws -> Operations.WelcomeMessage.Output {
                        try await welcomeMessage(.init(query: query, headers: headers))
                    }
                """))
    }

    @Test func serversComeFromTheDocument() throws {
        #expect(
            try file("Types.swift").contains(
                """
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
                """))
    }

    @Test func requiredParameterHasNoDefault() throws {
        let text = try file("Types.swift")
        #expect(text.contains("public var name: String\n"))
        #expect(text.contains("public init(name: String) {"))
        #expect(text.contains("query = Query(name: try request.requiredQuery(\"name\"))"))
    }

    @Test func documentCanBeJSON() throws {
        let json = #"""
            {"openapi": "3.1.0", "info": {"title": "Greeting", "version": "1.0.0"},
             "paths": {"/hello\/{name}": {"get": {"operationId": "hello",
              "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
              "responses": {"200": {"description": "ok",
               "content": {"application/json": {"schema": {"type": "array", "items": {"type": ["integer", "null"]}}}}}}}}}}
            """#
        let types = try SourceGenerator.files(of: json, named: "openapi.json", GeneratorOptions())[0].text
        #expect(types.hasPrefix("// Generated from openapi.json by openapi-generator; do not edit.\n"))
        #expect(types.contains("path: \"/hello/{name}\"") && types.contains("case json([Int?])"))
        var strict = GeneratorOptions()
        strict.isStrict = true
        let failure = #expect(throws: GenerationFailure.self) {
            _ = try SourceGenerator.files(
                of: json.replacing("\"array\"", with: "\"tuple\""), named: "openapi.json", strict)
        }
        #expect(failure?.problems.first?.hasPrefix("openapi.json:5:") == true)
    }

    @Test func handlersAreRegistered() throws {
        #expect(
            try file("Server.swift").contains(
                """
                        try transport.register(
                            Operations.WelcomeMessage.operation, serverURL: serverURL, configuration: configuration,
                            middlewares: middlewares
                        ) { request, body, metadata in
                            try await welcomeMessage(.init(decoding: .init(request, body, metadata))).encoded()
                        }
                """))
    }
}
