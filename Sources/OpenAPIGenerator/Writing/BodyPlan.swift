/// How each body is carried: as a type of Headgate's own, or as bytes.
struct BodyPlan {
    let schemas: SchemaTable
    let style: CodeStyle

    /// The schema of a body that is decoded; nil for one that is carried as bytes.
    func typed(_ content: Content) -> Schema? {
        guard content.mediaType == "application/json", let schema = content.schema, !schemas.isOpen(schema) else {
            return nil
        }
        return schema
    }

    /// The same of a request's body. The gateway relays them all.
    func typed(_ body: RequestBody) -> Schema? {
        guard style.isLibrary, body.kind == .json, let schema = body.schema, !schemas.isOpen(schema) else { return nil }
        return schema
    }

    /// The named schemas that get a type, in the order of the document: those that bodies are decoded as, with all that
    /// they refer to; in a library all that are not open.
    func reachable(in contract: Contract, _ diagnostics: Diagnostics) -> [String] {
        var found: Set<String> = []
        for response in contract.allResponses {
            for schema in response.contents.compactMap(typed) { visit(schema, path: [], &found, diagnostics) }
        }
        for name in style.isLibrary ? schemas.names : [] {
            guard let schema = schemas[name], !schemas.isOpen(schema), found.insert(name).inserted else { continue }
            visit(schema, path: [name], &found, diagnostics)
        }
        return schemas.names.filter(found.contains)
    }

    private func visit(_ schema: Schema, path: [String], _ found: inout Set<String>, _ diagnostics: Diagnostics) {
        switch schema.shape {
        case .reference(let name):
            if path.contains(name), !style.isLibrary {
                diagnostics.report(schema.position, "the schema '\(name)' holds itself, which no struct can")
            } else if found.insert(name).inserted, let named = schemas[name] {
                visit(named, path: path + [name], &found, diagnostics)
            }
        case .array(let items), .map(let items): visit(items, path: path, &found, diagnostics)
        case .object(let properties, _):
            for property in properties { visit(property.schema, path: path, &found, diagnostics) }
        case .oneOf(let choices, _), .anyOf(let choices):
            for choice in choices { visit(choice, path: path, &found, diagnostics) }
        case .string, .integer, .number, .boolean, .untyped: break
        }
    }
}
