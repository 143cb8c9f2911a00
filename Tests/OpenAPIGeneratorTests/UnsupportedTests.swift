import Testing

@testable import OpenAPIGenerator

/// Every construct outside the supported subset is reported with its position.
@Suite struct UnsupportedTests {
    private static let operation = "operationId: a\n      summary: A.\n      responses: {\"204\": {description: Done.}}"

    @Test(arguments: [
        // Each schema starts at line 14, column 40.
        ("{type: string, not: {}}", "14:55", "'not' of a schema is not supported; supported are: $ref"),
        ("{type: [string, integer]}", "14:47", "several types are not supported, besides 'null': string, integer"),
        ("{type: text}", "14:47", "there is no type 'text'"),
        ("{type: 1}", "14:47", "'type' of a schema must be a string or a list, not a number"),
        ("{$ref: '#/components/schemas/No'}", "14:40", "there is no '#/components/schemas/No'"),
        (
            "{$ref: 'a.yaml#/A'}", "14:40",
            "'a.yaml#/A' is not supported here; a reference starts with '#/components/schemas/'"
        ),
        ("{type: array}", "14:40", "a list without 'items' has no Swift type; it is supported only in relayed bodies"),
        ("{description: Any.}", "14:40", "a schema without 'type' has no Swift type; it is supported only in relayed"),
        ("{oneOf: [{type: string}]}", "14:49", "a choice of 'oneOf' must be a '$ref' to be a Swift type"),
        (
            "{type: object, properties: {a: {type: object, additionalProperties: true}}}", "14:71",
            "an object with 'additionalProperties: true' has no Swift type inside another one"
        ),
        (
            "{type: object, required: [b], properties: {a: {type: string}}}", "14:66",
            "the required property 'b' is not among the properties"
        ),
        (
            "{type: object, properties: {a_b: {type: string}, a-b: {type: string}}}", "14:40",
            "'a-b' and another name here are both 'aB' in Swift"
        ),
        (
            "{type: object, additionalProperties: [string]}", "14:77",
            "'additionalProperties' of a schema must be a"
        ),
        ("string", "14:40", "a schema must be a mapping, not a string"),
    ])
    func schema(schema: String, place: String, message: String) {
        expect(SampleDocument(answering: schema).problems, place, message)
    }

    @Test(arguments: [
        ("  a: {}", "6:3", "a path starts with '/'"),
        (
            "  /a:\n    trace: {}", "7:5",
            "'trace' of a path is not supported; supported are: delete, description, get, parameters"
        ),
        ("  /a:\n    get: {}", "7:10", "an operation needs 'operationId'"),
        (
            "  /a:\n    get:\n      \(operation)\n      callbacks: {}", "11:7",
            "'callbacks' of an operation is not supported; supported are: deprecated, description, externalDocs"
        ),
        ("  /a:\n    get:\n      \(operation)\n      x-headgate-rely: a", "11:7", "'x-headgate-rely' of an operation"),
        (
            "  /a:\n    get:\n      \(operation)\n      tags: [other]", "11:14",
            "a tag of an operation must be among the tags of the document"
        ),
        ("  /{a}:\n    get:\n      \(operation)", "8:7", "the path parameter 'a' is not described"),
        (
            "  /a:\n    get:\n      \(operation)\n      servers: [{url: /}]", "11:7",
            "'servers' of an operation is not supported"
        ),
        ("  /a:\n    servers: [{url: 'http://a'}]", "7:15", "the 'url' of a server must be a path, such as '/v1'"),
        ("  /a:\n    get:\n      operationId: a\n      summary: A.", "8:7", "an operation needs responses"),
        (
            "  /a:\n    get:\n      operationId: a\n      summary: A.\n      responses: {\"2XX\": {description: A.}}",
            "10:19", "status '2XX' is not supported; supported are: a code from 200 to 599, and default"
        ),
        (
            "  /a:\n    get:\n      \(operation)\n  /b:\n    get:\n      \(operation)", "13:7",
            "another operation is called 'a'"
        ),
        ("  /a: {}\n  /a: {}", "6:3", "the mapping that starts here has two members named '/a'"),
        ("  /a: [", "7:1", ""),
    ])
    func path(paths: String, place: String, message: String) {
        expect(SampleDocument(paths: paths).problems, place, message)
    }

    @Test(arguments: [
        (
            "{name: a, in: cookie, schema: {type: string}}",
            "a parameter in 'cookie' is not supported; supported are: path"
        ),
        ("{name: a, in: query, required: true, schema: {type: string}}", "parameter 'a': 'required' is supported only"),
        ("{name: a, in: path, schema: {type: string}}", "parameter 'a': needs 'required: true' in the path"),
        ("{name: a, in: path, required: true, schema: {type: string}}", "the path '/a' has no '{a}'"),
        ("{name: a, in: query}", "a parameter needs 'schema'"),
        ("{$ref: '#/components/parameters/A'}", "there is no '#/components/parameters/A'"),
    ])
    func parameter(parameter: String, message: String) {
        let paths = "  /a:\n    get:\n      \(Self.operation)\n      parameters:\n        - \(parameter)"
        expect(SampleDocument(paths: paths).problems, "12:11", message)
    }

    @Test(arguments: [
        (
            "{name: a, in: query, style: deepObject, schema: {type: string}}", "12:39",
            "the only 'style' supported in a query is 'form'"
        ),
        (
            "{name: a, in: query, schema: {type: array, items: {type: string}}}", "12:11",
            "parameter 'a': a list or a number is not supported here"
        ),
        (
            "{name: a, in: query, schema: {type: object}}", "12:40",
            "a parameter of this type is not supported; supported are: string, integer, number, boolean"
        ),
    ])
    func partOfAParameter(parameter: String, place: String, message: String) {
        let paths = "  /a:\n    get:\n      \(Self.operation)\n      parameters:\n        - \(parameter)"
        expect(SampleDocument(paths: paths).problems, place, message)
    }

    @Test(arguments: [
        (
            "{required: true, content: {multipart/form-data: {schema: {type: object}}}}", "",
            "12:47", "a form is supported only where 'x-headgate-relay' says that it is relayed"
        ),
        (
            "{required: true, content: {application/json: {schema: {type: object}}}}", "x-headgate-relay: v",
            "12:74", "a relayed body of 'a' needs a schema with 'additionalProperties: true'"
        ),
        (
            "{content: {application/json: {schema: {type: object, additionalProperties: true}}}}",
            "x-headgate-relay: v",
            "12:20", "a request body that may be missing is not supported: it is 'required: true'"
        ),
        (
            "{required: true, content: {text/plain: {}}}", "x-headgate-relay: v",
            "12:20", "only a request body of 'application/json' or 'multipart/form-data' with a schema is supported"
        ),
    ])
    func body(body: String, relay: String, place: String, message: String) {
        let paths = "  /a:\n    post:\n      \(Self.operation)\n      \(relay)\n      requestBody: \(body)"
        expect(SampleDocument(paths: paths).problems, place, message)
    }

    @Test(arguments: [
        (
            "  callbacks: {}", "16:3",
            "'callbacks' of the components is not supported; supported are: headers, parameters"
        ),
        (
            "  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {type: object}", "17:5",
            "the schema 'A' is only another name of a schema"
        ),
        (
            "  schemas:\n    B: {type: object, properties: {b: {type: array, items: {$ref: '#/components/schemas/B'}}}}",
            "17:60", "the schema 'B' holds itself, which no struct can"
        ),
        ("  responses:\n    A: {description: A., links: {}}", "17:26", "'links' of a response is not supported"),
        ("  responses:\n    A: {}", "17:8", "a response needs 'description'"),
    ])
    func component(components: String, place: String, message: String) {
        let schema = components.contains("B:") ? "{$ref: '#/components/schemas/B'}" : "{type: string}"
        expect(SampleDocument(answering: schema, components: components).problems, place, message)
    }

    @Test func numberInThePath() {
        let parameter = "{name: a, in: path, required: true, schema: {type: integer}}"
        let paths = "  /{a}:\n    get:\n      \(Self.operation)\n      parameters: [\(parameter)]"
        expect(
            SampleDocument(paths: paths).problems, "11:20",
            "parameter 'a': only a string is supported in the path")
    }

    @Test func otherVersion() {
        var problems: [String] = []
        do throws(GenerationFailure) {
            _ = try SourceGenerator.files(of: "openapi: 2.0.0\nservers: []\n", named: "old.yaml")
        } catch { problems = error.problems }
        #expect(problems == ["old.yaml:1:10: error: only OpenAPI 3.0 and 3.1 are supported, not 2.0.0"])
    }

    @Test func allProblemsAreReportedInOrder() {
        let document = SampleDocument(answering: "{type: text, not: {}}", components: "  links: {}\n  examples: {}")
        #expect(
            document.problems.map { $0.split(separator: " ")[0] } == [
                "openapi.yaml:14:47:", "openapi.yaml:14:53:", "openapi.yaml:16:3:", "openapi.yaml:17:3:",
            ])
    }

    /// Expects exactly one problem at this position, with this beginning of its message.
    private func expect(
        _ problems: [String], _ place: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(problems.count == 1, "\(problems)", sourceLocation: sourceLocation)
        let expected = "openapi.yaml:\(place): error: \(message)"
        #expect(problems.first?.hasPrefix(expected) ?? false, "\(problems)", sourceLocation: sourceLocation)
    }
}
