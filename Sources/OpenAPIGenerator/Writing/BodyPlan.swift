/// Decides whether a body is carried as a Headgate type or as bytes.
struct BodyPlan {
    let schemas: SchemaTable
    let style: CodeStyle

    /// Names of the types of component responses.
    let responseTypes: [String: String]

    /// Returns the schema of a body that is decoded; nil for a body that is carried as bytes.
    func typed(_ content: Content) -> Schema? {
        guard let schema = content.schema else { return nil }
        if style.isLibrary { return content.kind == .json ? schema : nil }
        return content.mediaType == "application/json" && !schemas.isOpen(schema) ? schema : nil
    }

    /// Returns the schema of a typed request body. The gateway relays all bodies.
    func typedRequest(_ content: Content) -> Schema? {
        guard style.isLibrary, let schema = content.schema else { return nil }
        switch content.kind {
        case .json: return schema
        case .urlEncodedForm: return isObject(schema) ? schema : nil
        case .form, .other: return nil
        }
    }

    private func isObject(_ schema: Schema) -> Bool {
        switch schemas.resolved(schema).shape {
        case .object, .map, .anyObject, .allOf, .anyOf, .oneOf: true
        default: false
        }
    }

    /// Returns the names of the schemas that get a type, in the order of the document. These are the schemas of decoded
    /// bodies, and all schemas that they refer to. For a library, these are all schemas unless only a part of the
    /// document is generated.
    func reachable(in contract: Contract, _ diagnostics: Diagnostics) -> [String] {
        if style.isLibrary, contract.hasAllSchemas { return schemas.names }
        var found: Set<String> = []
        var start = contract.allResponses.flatMap { $0.contents.compactMap(typed) }
        if style.isLibrary {
            for operation in contract.operations {
                start += operation.parameters.map(\.type.schema)
                start += operation.body?.contents.compactMap(typedRequest) ?? []
                start += operation.body?.contents.compactMap(form).flatMap(\.schemas) ?? []
            }
            start += contract.allResponses.flatMap { $0.contents.compactMap(form).flatMap(\.schemas) }
            for name in contract.wantedSchemas {
                guard let schema = schemas[name] else { continue }
                found.insert(name)
                start.append(schema)
            }
        }
        for schema in start { visit(schema, path: [], &found, diagnostics) }
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
        case .object(let properties, let others):
            for property in properties { visit(property.schema, path: path, &found, diagnostics) }
            if case .values(let schema) = others { visit(schema, path: path, &found, diagnostics) }
        case .oneOf(let choices, _), .anyOf(let choices), .allOf(let choices):
            for choice in choices { visit(choice, path: path, &found, diagnostics) }
        case .scalar, .enumeration, .integers, .any, .anyObject, .untyped: break
        }
    }
}
