/// Reads a whole document.
struct ContractReader {
    private let diagnostics: Diagnostics

    init(diagnostics: Diagnostics) { self.diagnostics = diagnostics }

    func read(_ root: DocumentNode) -> Contract {
        guard var members = Members(root, "the document", diagnostics) else { return Contract() }
        let version = members.node("openapi")
        if let text = members.requiredString("openapi"), !text.hasPrefix("3.1."), let version {
            diagnostics.report(version.position, "only OpenAPI 3.1 is supported, not \(text)")
        }
        members.ignore("info")
        let servers = members.required("servers").map { OperationReader.servers($0, diagnostics) }
        let needsKey = members.node("security").map { OperationReader.needsKey($0, diagnostics) }
        let tags = members.list("tags").compactMap(tag)
        let paths = members.named("paths")
        let components = members.node("components")
        members.finish()

        var sections = components.flatMap { Members($0, "the components", diagnostics) }
        let schemas = sections?.named("schemas") ?? []
        let responses = sections?.named("responses") ?? []
        let parameters = sections?.named("parameters") ?? []
        let headers = sections?.named("headers") ?? []
        sections?.ignore("securitySchemes")
        sections?.finish()

        let schemaReader = SchemaReader(diagnostics: diagnostics, known: Set(schemas.map(\.key)))
        let messages = MessageReader(
            diagnostics: diagnostics, schemas: schemaReader, parameters: nodes(parameters), headers: nodes(headers),
            responseNames: Set(responses.map(\.key)))
        let operations = OperationReader(
            diagnostics: diagnostics, messages: messages, tags: Set(tags), servers: servers ?? [],
            needsKey: needsKey ?? false)
        return Contract(
            operations: paths.flatMap(operations.read),
            responses: responses.compactMap { member in
                messages.response(member.value).map { (member.key, $0) }
            },
            schemas: SchemaTable(schemas.map { ($0.key, named($0, schemaReader)) }))
    }

    private func named(_ member: DocumentNode.Member, _ reader: SchemaReader) -> Schema {
        let schema = reader.read(member.value)
        if case .reference = schema.shape {
            diagnostics.report(member.keyPosition, "the schema '\(member.key)' is only another name of a schema")
        }
        return schema
    }

    private func tag(_ node: DocumentNode) -> String? {
        guard var members = Members(node, "a tag", diagnostics) else { return nil }
        let name = members.requiredString("name")
        members.ignore("description")
        members.finish()
        return name
    }

    private func nodes(_ members: [DocumentNode.Member]) -> [String: DocumentNode] {
        Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
