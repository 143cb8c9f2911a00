@testable import OpenAPIGenerator

/// A small document; a test states only the part it is about.
struct SampleDocument {
    /// The first line of `paths` is line 6 of the document, that of `components` follows the last of `paths`.
    static let preamble = """
        openapi: 3.1.0
        info: {title: Sample, version: "1"}
        servers: [{url: /v1}, {url: /}]
        tags: [{name: sample}]
        paths:

        """

    var paths = ""
    var components = ""

    /// An operation that answers 200 with JSON of this schema.
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

    /// - Parameter components: the schemas, each beginning at column 5.
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

    /// Problems of the document; empty if it has none.
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
