import Testing

@testable import OpenAPIGenerator

/// Effects of the generator's configuration.
@Suite struct ConfigurationTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: "1"}
        tags: [{name: pets}]
        paths:
          /pets:
            get:
              operationId: list-pets
              tags: [pets]
              responses:
                "200": {description: All., content: {application/json: {schema: {$ref: "#/components/schemas/Pets"}}}}
          /orders/{order-id}:
            get:
              operationId: getOrder
              parameters: [{name: order-id, in: path, required: true, schema: {$ref: "#/components/schemas/order-id"}}]
              responses: {"404": {$ref: "#/components/responses/Missing"}}
            delete: {operationId: deleteOrder, responses: {"204": {description: Done.}}}
        components:
          responses: {Missing: {description: Not there.}}
          schemas:
            Pets: {type: array, items: {$ref: "#/components/schemas/pet"}}
            pet: {type: object, properties: {full_name: {type: string}, kind: {type: string, enum: [a-b]}}}
            order-id: {type: string, format: uuid}
            Unused: {type: object, properties: {pet: {$ref: "#/components/schemas/pet"}}}
        """

    private func files(_ yaml: String, _ document: String = document) throws -> [GeneratedFile] {
        let options = try GeneratorOptions(yaml: "generate: [types, client, server]\n" + yaml, named: "c.yaml")
        return try SourceGenerator.files(of: document, named: "a.yaml", options)
    }

    private func types(_ yaml: String) throws -> String { try files(yaml)[0].text }

    @Test func filterKeepsWhatOperationsNeed() throws {
        let text = try types("filter: {tags: [pets]}")
        #expect(text.contains("func listPets(") && !text.contains("func getOrder("))
        #expect(text.contains("struct Pet:") && text.contains("typealias Pets ="))
        #expect(!text.contains("OrderId") && !text.contains("Unused") && !text.contains("Missing"))
    }

    @Test(arguments: [
        (
            "{operations: [getOrder]}", ["func getOrder(", "typealias OrderId", "struct Missing"],
            ["listPets", "deleteOrder"]
        ),
        ("{paths: ['/orders/{order-id}']}", ["func getOrder(", "func deleteOrder("], ["listPets", "struct Pet:"]),
        ("{schemas: [Unused]}", ["struct Unused:", "struct Pet:"], ["listPets", "typealias Pets"]),
        ("{operations: [list-pets], schemas: [Unused]}", ["struct Unused:", "func listPets("], ["getOrder"]),
    ])
    func filterNamesOperationsPathsAndSchemas(filter: String, present: [String], absent: [String]) throws {
        let text = try types("filter: \(filter)")
        for part in present { #expect(text.contains(part), "\(part)") }
        for part in absent { #expect(!text.contains(part), "\(part)") }
    }

    @Test(arguments: ["{operations: [no]}", "{paths: [/no]}", "{schemas: [no]}"])
    func unknownNameIsAnError(filter: String) {
        let failure = #expect(throws: GenerationFailure.self) { _ = try types("filter: \(filter)") }
        #expect(failure?.problems.count == 1)
    }

    @Test func namesAreThoseOfTheConfiguration() throws {
        let text = try types("nameOverrides: {pet: Animal, full_name: name, list-pets: animals}")
        #expect(text.contains("struct Animal:") && text.contains("Components.Schemas.Animal]"))
        #expect(text.contains("var name: String?") && text.contains("case name = \"full_name\""))
        #expect(text.contains("func animals(") && text.contains("enum animals {"))
    }

    @Test func typesOfOtherModulesReplaceSchemas() throws {
        let text = try types("additionalImports: [Shop]\ntypeOverrides: {schemas: {order-id: Shop.OrderID}}")
        #expect(text.contains("import Shop\n") && text.contains("typealias OrderId = Shop.OrderID"))
    }

    @Test func defensiveNamesSpellEverythingOut() throws {
        let text = try types("namingStrategy: defensive")
        #expect(text.contains("func list_hyphen_pets(") && text.contains("enum list_hyphen_pets {"))
        #expect(text.contains("struct pet:") && text.contains("typealias order_hyphen_id = String"))
        #expect(text.contains("var full_name: String?") && text.contains("case a_hyphen_b = \"a-b\""))
    }

    @Test func collidingNamesAreSpelledOut() throws {
        let text = try SourceGenerator.files(
            of: Documents.text("39-enumerations"), named: "a.yaml", GeneratorOptions())[0].text
        for line in [
            "case _plus_1 = \"+1\"", "case _hyphen_1 = \"-1\"", "case _empty = \"\"", "case laugh\n", "case Laugh\n",
            "case name_hyphen_asc = \"name-asc\"", "case name_asc\n", "case nameAsc\n", "case _lt__equals_ = \"<=\"",
            "case _hyphen_1 = -1", "case _0 = 0",
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test func configuredCommentsBeginEachFile() throws {
        for file in try files("additionalFileComments: ['swiftlint:disable all', two]") {
            #expect(file.text.contains("do not edit.\n// swiftlint:disable all\n// two\n\n"), "\(file.path)")
        }
    }

    @Test(arguments: [
        ("namingStrategy: odd", "'namingStrategy' of the configuration knows: defensive, idiomatic"),
        ("nameOverrides: {a: 'b c; d'}", "'b c; d' is no name in Swift"), ("filter: {odd: []}", "'odd' of 'filter'"),
        ("typeOverrides: {types: {}}", "'types' of 'typeOverrides'"),
    ])
    func configurationThatIsNotUnderstood(yaml: String, message: String) {
        let failure = #expect(throws: GenerationFailure.self) { _ = try types(yaml) }
        #expect(failure?.description.contains(message) ?? false, "\(failure?.description ?? "")")
    }
}

/// Parts that are left out of generated code, and the warnings about them.
@Suite struct WarningTests {
    private func generate(_ name: String) throws -> (files: [GeneratedFile], warnings: [String]) {
        try SourceGenerator.generate(Documents.text(name), named: "a.yaml", GeneratorOptions())
    }

    @Test func onlyWhatCannotBeGeneratedIsLeftOut() throws {
        let (files, warnings) = try generate("46-left-out")
        let ids = files[0].text.matches(of: /static let id = "(.*)"/).map { String($0.1) }
        #expect(ids == ["getFine", "getPieces", "getAnchor"])
        #expect(warnings.contains { $0.hasSuffix("what is behind '#' in '/#anchor' is not sent") })
        #expect(warnings.contains { $0.hasSuffix("is not supported, so 'GET /odd/{a}' is left out") })
        #expect(
            warnings.contains { $0.hasSuffix("is in another file, which is not read, so 'GET /elsewhere' is left out") }
        )
        #expect(files[0].text.contains("typealias Elsewhere = OpenAPIValueContainer"))
        #expect(
            files[2].text.contains("// 'getPieces' is not registered: nothing in its path is between two parameters."))
    }

    @Test func repeatedWarningsAreMerged() throws {
        let yaml = """
            openapi: 3.1.0
            info: {title: A, version: "1"}
            components: {schemas: {A: {type: string, not: {}}, B: {type: string, not: {}}, C: {type: string, not: {}}}}
            """
        let warnings = try SourceGenerator.generate(yaml, named: "a.yaml", GeneratorOptions()).warnings
        #expect(warnings == ["a.yaml:3:42: warning: 'not' of a schema has no effect (and in 2 more places)"])
    }

    @Test func unenforcedSecurityIsNamed() throws {
        let (files, warnings) = try generate("45-without-effect")
        #expect(warnings.contains { $0.contains("does not enforce 'security'") })
        #expect(files[2].text.contains("/// Nothing here checks credentials, which the document wants for: `getA`."))
        var options = GeneratorOptions(parts: [.types, .client])
        options.isStrict = false
        let client = try SourceGenerator.generate(Documents.text("45-without-effect"), named: "a.yaml", options)
        #expect(!client.warnings.contains { $0.contains("security") })
    }

    @Test func serversOfAnOperationAreServers() throws {
        let (files, warnings) = try generate("29-servers")
        #expect(
            warnings.count == 2 && warnings.allSatisfy { $0.contains("has servers of its own: a client of 'Servers.") })
        #expect(files[0].text.contains("host: \"uploads.example.com\"") && files[0].text.contains("enum Server7"))
        #expect(files[0].text.contains("region: Region = .eu1, port: String = \"8443\", version: Version = .v1"))
    }

    /// A part that the reader would refuse has no type.
    @Test(arguments: [("a", true), ("a b", false), (#"a\"b"#, false), ("a%22", false), ("\u{E9}", false)])
    func formHasTypedPartsIfAllParsersReadTheirNamesAlike(name: String, isTyped: Bool) throws {
        let yaml = """
            openapi: 3.1.0
            info: {title: A, version: "1"}
            paths:
              /a:
                post:
                  operationId: a
                  requestBody:
                    required: true
                    content:
                      multipart/form-data: {schema: {type: object, properties: {"\(name)": {type: string}}}}
                  responses: {"204": {description: Taken.}}
            """
        let types = try SourceGenerator.generate(yaml, named: "a.yaml", GeneratorOptions()).files[0].text
        #expect(types.contains("case multipartForm(MultipartBody<") == isTyped)
        #expect(types.contains("case multipartForm(HTTPBody, boundary: String)") == !isTyped)
    }
}
