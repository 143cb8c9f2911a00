/// Reads a whole document.
struct ContractReader {
    private let diagnostics: Diagnostics
    private let filter: DocumentFilter?

    init(diagnostics: Diagnostics, filter: DocumentFilter? = nil) {
        self.diagnostics = diagnostics
        self.filter = filter
    }

    func read(_ root: DocumentNode) -> Contract {
        var contract = Contract(diagnostics.style)
        guard var members = Members(root, "the document", diagnostics) else {
            diagnostics.report(root.position, "the document must be a mapping, not \(root.kind)")
            return contract
        }
        guard readVersion(&members) else { return contract }
        members.ignore("info", "externalDocs", "jsonSchemaDialect", "$self")
        let servers = members.node("servers").map(ServerReader(diagnostics: diagnostics).read) ?? []
        let needsKey = members.node("security").map { OperationReader.needsKey($0, diagnostics) }
        let tags = members.list("tags").compactMap { node in
            diagnostics.attempt("the tag is left out") { tag(node) }
        }
        let paths = members.named("paths")
        let components = members.node("components")
        members.finish()

        var sections = components.flatMap { node in
            diagnostics.attempt("they are left out") { Members(node, "the components", diagnostics) }
        }
        let schemas = sections?.named("schemas") ?? []
        let responses = sections?.named("responses") ?? []
        sections?.ignore("parameters", "headers", "requestBodies", "securitySchemes")
        if diagnostics.style.isLibrary { sections?.ignore("examples", "links", "callbacks", "pathItems", "mediaTypes") }
        sections?.finish()

        let references = References(root)
        let schemaReader = SchemaReader(
            diagnostics: diagnostics,
            components: Dictionary(schemas.map { ($0.key, $0.value) }) { first, _ in first }, references: references)
        contract.schemas = SchemaTable(schemas.map { ($0.key, named($0, schemaReader)) }, diagnostics.style)
        contract.schemas.settle(diagnostics)
        let messages = MessageReader(
            diagnostics: diagnostics, schemas: schemaReader, table: contract.schemas, references: references)
        contract.responses = responses.compactMap { member in
            diagnostics.attempt("the response '\(member.key)' is left out") {
                messages.response(member.value).map { (member.key, $0) }
            }
        }
        let types = diagnostics.style.names.types(
            contract.responses.map(\.name), besides: diagnostics.style.isLibrary ? SwiftNames.used : [])
        contract.responseTypes = Dictionary(zip(contract.responses.map(\.name), types)) { first, _ in first }
        let operations = OperationReader(
            diagnostics: diagnostics, messages: messages, responses: Set(contract.responses.map(\.name)),
            tags: Set(tags), servers: servers, needsKey: needsKey ?? false, filter: filter)
        contract.servers = servers
        for path in paths { contract.operations += operations.read(path: path, servers: &contract.servers) }
        let shared = Dictionary(contract.responses.map { ($0.name, $0.response) }) { first, _ in first }
        name(&contract.operations, shared)
        if let filter { filter.apply(to: &contract, diagnostics, root.position) }
        return contract
    }

    /// Assigns Swift names to operations.
    private func name(_ operations: inout [Operation], _ responses: [String: Response]) {
        let names = diagnostics.style.names
        let ids = operations.map(\.id)
        let members = names.members(ids)
        let types = names.types(ids, besides: diagnostics.style.isLibrary ? SwiftNames.used : [])
        for index in operations.indices {
            operations[index].member = members[index]
            if diagnostics.style.isLibrary { operations[index].responseTypes = operations[index].allTypes(responses) }
            operations[index].type = types[index]
        }
    }

    private func readVersion(_ members: inout Members) -> Bool {
        guard let node = members.required("openapi") else { return false }
        guard let text = node.scalarText else {
            diagnostics.report(node.position, "'openapi' of the document must be a string, not \(node.kind)")
            return false
        }
        diagnostics.isVersion30 = text.hasPrefix("3.0")
        let known = diagnostics.style.isLibrary ? ["3.0", "3.1", "3.2"] : ["3.0.", "3.1."]
        guard known.contains(where: text.hasPrefix) else {
            diagnostics.report(
                node.position,
                diagnostics.style.isLibrary
                    ? "only OpenAPI 3.0, 3.1 and 3.2 are supported, not \(text)"
                    : "only OpenAPI 3.0 and 3.1 are supported, not \(text)")
            return !diagnostics.style.isLibrary
        }
        return true
    }

    private func named(_ member: DocumentNode.Member, _ reader: SchemaReader) -> Schema {
        let schema = reader.read(named: member.key, member.value)
        if case .reference = schema.shape, !diagnostics.style.isLibrary {
            diagnostics.report(member.keyPosition, "the schema '\(member.key)' is only another name of a schema")
            // Aliases can be circular, and a reference must end at a schema.
            return schema.becoming(.untyped(nil))
        }
        return schema
    }

    private func tag(_ node: DocumentNode) -> String? {
        guard var members = Members(node, "a tag", diagnostics) else { return nil }
        let name = members.requiredString("name")
        members.ignore("description", "externalDocs")
        if diagnostics.style.isLibrary { members.ignore("summary", "kind", "parent") }
        members.finish()
        return name
    }
}

extension SchemaTable {
    /// Replaces schemas that cannot have a type with any JSON. These are circular aliases, lists of nothing but
    /// themselves, and choices that could not be decoded in a reasonable time.
    mutating func settle(_ diagnostics: Diagnostics) {
        guard diagnostics.style.isLibrary else { return }
        for name in names {
            guard let schema = self[name], case .reference = schema.shape else { continue }
            if case .reference = resolved(schema).shape {
                replace(name, diagnostics, "the schema '\(name)' is only another name of itself")
            }
        }
        for name in Recursion(self).endless {
            replace(
                name, diagnostics,
                "the schema '\(name)' is a list or a dictionary of itself alone, which has no Swift type")
        }
        // This comes last, because a replaced schema can be the reason for another one's cost.
        let problems = DecodingCost(self).problems
        guard !problems.isEmpty else { return }
        for problem in problems { _ = problem.schema.reported(problem.message, diagnostics) }
        let positions = Set(problems.map(\.schema.position))
        for name in names { self[name] = self[name]?.replacingChoices(at: positions) }
    }

    private mutating func replace(_ name: String, _ diagnostics: Diagnostics, _ problem: String) {
        guard let schema = self[name] else { return }
        self[name] = schema.reported(problem, diagnostics)
    }
}

extension Schema {
    /// Returns the schema with another shape.
    func becoming(_ shape: Shape) -> Schema {
        Schema(position: position, description: description, shape: shape, isNullable: isNullable)
    }

    fileprivate func reported(_ problem: String, _ diagnostics: Diagnostics) -> Schema {
        diagnostics.warn(position, diagnostics.style.isStrict ? problem : "\(problem), so it is any JSON")
        return becoming(.any)
    }

    fileprivate func replacingChoices(at positions: Set<SourcePosition>) -> Schema {
        let inner = { (schema: Schema) in schema.replacingChoices(at: positions) }
        switch shape {
        case .oneOf, .anyOf, .allOf:
            if positions.contains(position) { return becoming(.any) }
            switch shape {
            case .oneOf(let choices, let told): return becoming(.oneOf(choices.map(inner), told))
            case .anyOf(let choices): return becoming(.anyOf(choices.map(inner)))
            case .allOf(let parts): return becoming(.allOf(parts.map(inner)))
            default: return self
            }
        case .array(let items): return becoming(.array(inner(items)))
        case .map(let values): return becoming(.map(inner(values)))
        case .object(let properties, let others):
            let changed = properties.map { property in
                Property(
                    name: property.name, schema: inner(property.schema), isRequired: property.isRequired,
                    member: property.member, payload: property.payload)
            }
            if case .values(let values) = others { return becoming(.object(changed, others: .values(inner(values)))) }
            return becoming(.object(changed, others: others))
        case .reference, .scalar, .enumeration, .integers, .any, .anyObject, .untyped: return self
        }
    }
}
