/// Reads what messages are made of: parameters, headers, bodies and responses.
struct MessageReader {
    let diagnostics: Diagnostics
    let schemas: SchemaReader
    let parameters: [String: DocumentNode]
    let headers: [String: DocumentNode]
    let responseNames: Set<String>

    func parameter(_ node: DocumentNode) -> Parameter? {
        guard let node = followed(node, "parameters", parameters),
            var members = Members(node, "a parameter", diagnostics),
            let name = members.requiredString("name"), let place = members.requiredString("in")
        else { return nil }
        let description = members.string("description")
        let isRequired = members.boolean("required") ?? false
        let type = scalar(members.required("schema"), "a parameter")
        members.ignore("example")
        members.finish()
        guard let location = Parameter.Location(rawValue: place) else {
            diagnostics.report(
                node.position, "a parameter in '\(place)' is not supported; supported are: path, query, header")
            return nil
        }
        guard isRequired == (location == .path) else {
            let problem = isRequired ? "'required' is supported only in the path" : "needs 'required: true' in the path"
            diagnostics.report(node.position, "parameter '\(name)': \(problem)")
            return nil
        }
        if location == .path, type != .string {
            diagnostics.report(node.position, "parameter '\(name)': only a string is supported in the path")
        }
        return Parameter(
            position: node.position, name: location == .header ? name.lowercased() : name, location: location,
            description: description, type: type)
    }

    func body(_ node: DocumentNode) -> RequestBody? {
        guard var members = Members(node, "a request body", diagnostics) else { return nil }
        members.ignore("description")
        if members.boolean("required") != true {
            diagnostics.report(
                node.position, "a request body that may be missing is not supported: it is 'required: true'")
        }
        let contents = contents(&members)
        members.finish()
        let kinds: [String: RequestBody.Kind] = ["application/json": .json, "multipart/form-data": .form]
        guard contents.count == 1, let content = contents.first, let kind = kinds[content.mediaType],
            let schema = content.schema
        else {
            diagnostics.report(
                node.position,
                "only a request body of 'application/json' or 'multipart/form-data' with a schema is supported")
            return nil
        }
        return RequestBody(position: content.position, kind: kind, schema: schema)
    }

    func answer(_ node: DocumentNode) -> Operation.Answer? {
        if let name = reference(node) {
            return Reference.name(in: name, "responses", responseNames, node.position, diagnostics).map { .shared($0) }
        }
        return response(node).map { .inline($0) }
    }

    func response(_ node: DocumentNode) -> Response? {
        guard var members = Members(node, "a response", diagnostics) else { return nil }
        let description = members.requiredString("description") ?? ""
        let headers = members.named("headers").compactMap(header)
        let contents = contents(&members)
        members.finish()
        return Response(description: description, headers: headers, contents: contents)
    }

    private func header(_ member: DocumentNode.Member) -> Header? {
        guard let node = followed(member.value, "headers", headers),
            var members = Members(node, "a header", diagnostics)
        else { return nil }
        let description = members.string("description")
        let type = scalar(members.required("schema"), "a header")
        // Whoever writes a required one may stand before the handler, so no type insists on it.
        members.ignore("required")
        members.finish()
        return Header(name: member.key.lowercased(), description: description, type: type)
    }

    private func contents(_ members: inout Members) -> [Content] {
        members.named("content").compactMap { member in
            guard var content = Members(member.value, "a media type", diagnostics) else { return nil }
            let schema = content.node("schema").map(schemas.read)
            // Validated, though no code comes of it: it is the only place that names the schema of an event.
            _ = content.node("x-event-schema").map(schemas.read)
            content.ignore("example")
            content.finish()
            return Content(position: member.keyPosition, mediaType: member.key, schema: schema)
        }
    }

    private func scalar(_ node: DocumentNode?, _ subject: String) -> ScalarType {
        guard let node else { return .string }
        switch schemas.read(node).shape {
        case .string: return .string
        case .integer: return .integer
        case .boolean: return .boolean
        default:
            diagnostics.report(
                node.position, "\(subject) of this type is not supported; supported are: string, integer, boolean")
            return .string
        }
    }

    private func reference(_ node: DocumentNode) -> String? {
        guard case .mapping(let members) = node.value, members.count == 1, members[0].key == "$ref",
            case .string(let name) = members[0].value.value
        else { return nil }
        return name
    }

    private func followed(
        _ node: DocumentNode, _ section: String, _ components: [String: DocumentNode]
    ) -> DocumentNode? {
        guard let target = reference(node) else { return node }
        let name = Reference.name(in: target, section, Set(components.keys), node.position, diagnostics)
        return name.flatMap { components[$0] }
    }
}
