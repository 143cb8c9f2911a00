/// Reads a whole document.
struct ContractReader {
    private let diagnostics: Diagnostics

    init(diagnostics: Diagnostics) { self.diagnostics = diagnostics }

    func read(_ root: DocumentNode) -> Contract {
        guard var members = Members(root, "the document", diagnostics) else { return Contract() }
        readVersion(&members)
        members.ignore("info", "externalDocs", "jsonSchemaDialect")
        let servers = members.node("servers").map(ServerReader(diagnostics: diagnostics).read) ?? []
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
        let bodies = sections?.named("requestBodies") ?? []
        sections?.ignore("securitySchemes")
        sections?.finish()

        let schemaReader = SchemaReader(diagnostics: diagnostics, components: nodes(schemas))
        let table = SchemaTable(schemas.map { ($0.key, named($0, schemaReader)) })
        let messages = MessageReader(
            diagnostics: diagnostics, schemas: schemaReader, table: table, parameters: nodes(parameters),
            headers: nodes(headers), bodies: nodes(bodies), responseNames: Set(responses.map(\.key)))
        let operations = OperationReader(
            diagnostics: diagnostics, messages: messages, tags: Set(tags), servers: servers,
            needsKey: needsKey ?? false)
        return Contract(
            servers: servers, operations: paths.flatMap(operations.read),
            responses: responses.compactMap { member in
                messages.response(member.value).map { (member.key, $0) }
            },
            schemas: table)
    }

    private func readVersion(_ members: inout Members) {
        guard let text = members.requiredString("openapi"), let node = members.node("openapi") else { return }
        diagnostics.isVersion30 = text.hasPrefix("3.0.")
        if !diagnostics.isVersion30, !text.hasPrefix("3.1.") {
            diagnostics.report(node.position, "only OpenAPI 3.0 and 3.1 are supported, not \(text)")
        }
    }

    private func named(_ member: DocumentNode.Member, _ reader: SchemaReader) -> Schema {
        let schema = reader.read(member.value)
        if case .reference = schema.shape {
            diagnostics.report(member.keyPosition, "the schema '\(member.key)' is only another name of a schema")
            // Names of names may lead in a circle, and whoever follows a reference expects a schema at its end.
            return Schema(
                position: schema.position, description: schema.description, shape: .untyped(nil),
                isNullable: schema.isNullable)
        }
        return schema
    }

    private func tag(_ node: DocumentNode) -> String? {
        guard var members = Members(node, "a tag", diagnostics) else { return nil }
        let name = members.requiredString("name")
        members.ignore("description", "externalDocs")
        members.finish()
        return name
    }

    private func nodes(_ members: [DocumentNode.Member]) -> [String: DocumentNode] {
        Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
}

/// References to components of this document; there are no others.
enum Reference {
    /// The name of the component, or nil, and reported, when there is none.
    static func name(
        in reference: String, _ section: String, _ known: Set<String>, _ position: SourcePosition,
        _ diagnostics: Diagnostics
    ) -> String? {
        let prefix = "#/components/\(section)/"
        guard reference.hasPrefix(prefix) else {
            diagnostics.report(position, "'\(reference)' is not supported here; a reference starts with '\(prefix)'")
            return nil
        }
        let name = String(reference.dropFirst(prefix.count))
        guard known.contains(name) else {
            diagnostics.report(position, "there is no '\(reference)'")
            return nil
        }
        return name
    }
}
