/// A file of generated Swift.
package struct GeneratedFile: Equatable, Sendable {
    /// Inside the output folder.
    package let path: String
    package let text: String
    /// Whether the file says what the contract is, without types for its messages: what a server needs that relays
    /// them.
    package var isContract: Bool { path == "OperationTable.swift" || path.hasPrefix("Document/") }
}

/// Makes Swift source of an OpenAPI 3.1 document, in the shapes of Swift OpenAPI Generator. The same document always
/// gives the same text.
///
/// The subset, outside of which everything is an error with its place:
/// - Servers are paths, of the document or of a path. Operations have an id, a summary, tags, parameters, a body,
///   responses with single codes and `default`, and `security`.
/// - Parameters and headers are strings, integers or booleans; only those of the path are required.
/// - A request body is JSON, or in an operation with `x-headgate-relay` a form. It is carried as bytes. The schemas of
///   what is relayed are open (`additionalProperties: true`), and it is carried as bytes too, as is every other
///   response of an open schema or of no JSON.
/// - All other JSON of responses gets a type: closed objects, lists, strings with `enum` or `const`, numbers, booleans,
///   `null` beside one type, and `oneOf` of references. Limits and formats are accepted, for those who validate, and
///   have no effect.
package enum SourceGenerator {
    /// - Parameter name: the document's file name, for messages.
    /// - Throws: everything in the document that is outside the subset.
    package static func files(of yaml: String, named name: String) throws(GenerationFailure) -> [GeneratedFile] {
        let diagnostics = Diagnostics(file: name)
        let root = try DocumentNode(yaml: yaml, diagnostics: diagnostics)
        let contract = ContractReader(diagnostics: diagnostics).read(root)
        ContractRules(contract: contract, diagnostics: diagnostics).check()
        let sources = sources(of: contract, diagnostics)
        try diagnostics.check()
        let document = DocumentWriter.files(yaml: yaml, json: root.json(linesToDepth: 2))
            .map { ("Document/\($0.name)", $0.text) }
        return (sources + document).map { GeneratedFile(path: "\($0.0).swift", text: $0.1.text) }
            .sorted { $0.path < $1.path }
    }

    private static func sources(of contract: Contract, _ diagnostics: Diagnostics) -> [(String, SourceText)] {
        let plan = BodyPlan(schemas: contract.schemas)
        let types = TypeWriter(schemas: contract.schemas, diagnostics: diagnostics)
        let responses = ResponseWriter(plan: plan, types: types)
        let shared = Dictionary(contract.responses.map { ($0.name, $0.response) }) { first, _ in first }
        let operations = OperationWriter(responses: responses, shared: shared)
        let table = TableWriter(operations: contract.operations, shared: shared)

        var files = [
            ("APIProtocol", table.apiProtocol()), ("Client", table.client()), ("Namespaces", table.namespaces()),
            ("OperationTable", table.operationTable()), ("ServerRegistration", table.serverRegistration()),
            ("HeaderNames", table.headerNames(contract.headerNames)),
        ]
        for operation in contract.operations {
            files.append(("Operations/\(SwiftName.type(operation.id))", operations.file(for: operation)))
        }
        for (name, response) in contract.responses {
            var file = SourceText(imports: plan.hasBytes(response) ? ["public import HeadgateHTTP"] : [])
            file.block("extension Components.Responses") { text in
                responses.declare(response, as: SwiftName.type(name), in: &text)
            }
            files.append(("Responses/\(SwiftName.type(name))Response", file))
        }
        for name in plan.reachable(from: contract.allResponses, diagnostics) {
            guard let schema = contract.schemas[name] else { continue }
            var file = SourceText()
            file.block("extension Components.Schemas") { text in
                types.declare(schema, as: SwiftName.type(name), in: &text)
            }
            files.append(("Schemas/\(SwiftName.type(name))Schema", file))
        }
        return files
    }
}
