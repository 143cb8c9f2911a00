/// Reads what messages are made of: parameters, headers, bodies and responses.
struct MessageReader {
    let diagnostics: Diagnostics
    let schemas: SchemaReader
    let table: SchemaTable
    let parameters: [String: DocumentNode]
    let headers: [String: DocumentNode]
    let bodies: [String: DocumentNode]
    let responseNames: Set<String>

    func parameter(_ node: DocumentNode) -> Parameter? {
        guard let node = followed(node, "parameters", parameters),
            var members = Members(node, "a parameter", diagnostics),
            let name = members.requiredString("name"), let place = members.requiredString("in")
        else { return nil }
        let description = members.string("description")
        let isRequired = members.boolean("required") ?? false
        let schema = members.required("schema")
        let style = members.node("style")
        let explodes = members.node("explode")
        members.ignore("example", "examples", "deprecated", "allowEmptyValue")
        members.finish()
        guard let location = Parameter.Location(rawValue: place) else {
            diagnostics.report(
                node.position, "a parameter in '\(place)' is not supported; supported are: path, query, header")
            return nil
        }
        if location == .path, !isRequired {
            diagnostics.report(node.position, "parameter '\(name)': needs 'required: true' in the path")
            return nil
        }
        if location == .header, !isToken(name) {
            diagnostics.report(node.position, "'\(name)' is no name of a header")
            return nil
        }
        check(style, explodes, location)
        return Parameter(
            position: node.position, name: location == .header ? name.lowercased() : name, location: location,
            description: description, isRequired: isRequired, type: type(schema, location))
    }

    /// Only the styles that hold where none is named.
    private func check(_ style: DocumentNode?, _ explodes: DocumentNode?, _ location: Parameter.Location) {
        let usual = location == .query ? "form" : "simple"
        if let style, !style.isText(usual) {
            diagnostics.report(style.position, "the only 'style' supported in a \(location.rawValue) is '\(usual)'")
        }
        if let explodes, location == .query, case .boolean(true) = explodes.value { return }
        if let explodes, location != .query, case .boolean(false) = explodes.value { return }
        if let explodes {
            diagnostics.report(
                explodes.position, "the only 'explode' supported in a \(location.rawValue) is \(location == .query)")
        }
    }

    private func type(_ node: DocumentNode?, _ location: Parameter.Location) -> ParameterType {
        guard let node else {
            let text = Schema(
                position: SourcePosition(line: 1, column: 1), description: nil, shape: .string(cases: nil),
                isNullable: false)
            return ParameterType(scalar: .string, schema: text, isList: false)
        }
        let schema = schemas.read(node)
        if case .array(let items) = table.resolved(schema).shape, location == .query {
            return ParameterType(
                scalar: scalar(items, items.position, "a list in the query"), schema: items, isList: true)
        }
        return ParameterType(scalar: scalar(schema, node.position, "a parameter"), schema: schema, isList: false)
    }

    private func isToken(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) != nil
    }

    /// As messages are compared with it.
    private func isMediaType(_ name: String) -> Bool {
        name.wholeMatch(of: /[a-z0-9!#$&^_.+-]+\/([a-z0-9!#$&^_.+-]+|\*)/) != nil
    }

    func body(_ node: DocumentNode) -> RequestBody? {
        guard let node = followed(node, "requestBodies", bodies),
            var members = Members(node, "a request body", diagnostics)
        else { return nil }
        members.ignore("description")
        let isRequired = members.boolean("required") ?? false
        let contents = contents(&members)
        members.finish()
        guard contents.count == 1, let content = contents.first, !content.mediaType.hasSuffix("/*") else {
            diagnostics.report(node.position, "only a request body of one media type is supported, which is no pattern")
            return nil
        }
        let kinds: [String: RequestBody.Kind] = ["application/json": .json, "multipart/form-data": .form]
        return RequestBody(
            position: kinds[content.mediaType] == nil || !isRequired ? node.position : content.position,
            kind: kinds[content.mediaType] ?? .other, mediaType: content.mediaType, schema: content.schema,
            isRequired: isRequired)
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
        let type = members.required("schema").map { scalar(schemas.read($0), $0.position, "a header") } ?? .string
        if !isToken(member.key) { diagnostics.report(member.keyPosition, "'\(member.key)' is no name of a header") }
        // Whoever writes a required one may stand before the handler, so no type insists on it.
        members.ignore("required", "example", "examples", "deprecated")
        members.finish()
        return Header(name: member.key.lowercased(), description: description, type: type)
    }

    private func contents(_ members: inout Members) -> [Content] {
        members.named("content").compactMap { member in
            guard var content = Members(member.value, "a media type", diagnostics) else { return nil }
            let schema = content.node("schema").map(schemas.read)
            // Validated, though no code comes of it: it is the only place that names the schema of an event.
            _ = content.node("x-event-schema").map(schemas.read)
            content.ignore("example", "examples")
            content.finish()
            if !isMediaType(member.key) {
                diagnostics.report(
                    member.keyPosition,
                    "a body's media type is written in lower case, without parameters, such as 'text/plain' or "
                        + "'audio/*', not '\(member.key)'")
            }
            return Content(position: member.keyPosition, mediaType: member.key, schema: schema)
        }
    }

    private func scalar(_ schema: Schema, _ position: SourcePosition, _ subject: String) -> ScalarType {
        switch table.resolved(schema).shape {
        case .string: return .string
        case .integer: return .integer
        case .number: return .number
        case .boolean: return .boolean
        default:
            diagnostics.report(
                position, "\(subject) of this type is not supported; supported are: string, integer, number, boolean")
            return .string
        }
    }

    private func reference(_ node: DocumentNode) -> String? {
        guard case .mapping(let members) = node.value, let target = members.first(where: { $0.key == "$ref" }),
            case .string(let name) = target.value.value
        else { return nil }
        for other in members where !["$ref", "summary", "description"].contains(other.key) {
            diagnostics.report(other.keyPosition, "'\(other.key)' beside '$ref' is not supported")
        }
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
