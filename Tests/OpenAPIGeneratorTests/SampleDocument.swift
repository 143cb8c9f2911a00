@testable import OpenAPIGenerator

/// A small document, of which a test states only the part that it tests.
struct SampleDocument {
    /// Beginning of the document. The first line of `paths` is line 6 of the document, and the first line of
    /// `components` follows the last line of `paths`.
    static let preamble = """
        openapi: 3.1.0
        info: {title: Sample, version: "1"}
        servers: [{url: /v1}, {url: /}]
        tags: [{name: sample}]
        paths:

        """

    var paths = ""
    var components = ""

    /// Creates a document with an operation that responds with status 200 and JSON of this schema.
    init(answering schema: String, components: String = "") {
        paths = """
              /things:
                get:
                  operationId: listThings
                  summary: The things.
                  responses:
                    "200":
                      description: All of them.
                      content:
                        application/json: {schema: \(schema)}
            """
        self.components = components
    }

    /// - Parameter components: schemas, each of which begins at column 5.
    init(paths: String, components: String = "") {
        self.paths = paths
        self.components = components
    }

    var yaml: String {
        SampleDocument.preamble + paths + (components.isEmpty ? "" : "\ncomponents:\n" + components) + "\n"
    }

    func file(_ path: String) throws -> String {
        let files = try SourceGenerator.files(of: yaml, named: "openapi.yaml")
        guard let file = files.first(where: { $0.path == path }) else {
            throw Missing(path: path, present: files.map(\.path))
        }
        return file.text
    }

    /// Problems of the document, as they are reported; empty if it has none.
    var problems: [String] {
        do throws(GenerationFailure) {
            _ = try SourceGenerator.files(of: yaml, named: "openapi.yaml")
            return []
        } catch {
            return error.problems
        }
    }

    struct Missing: Error {
        let path: String
        let present: [String]
    }
}
