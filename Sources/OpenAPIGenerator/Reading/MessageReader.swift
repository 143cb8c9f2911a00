/// Reads the parts of messages: headers, bodies and responses.
struct MessageReader {
    let diagnostics: Diagnostics
    let schemas: SchemaReader
    let table: SchemaTable
    let references: References

    var style: CodeStyle { diagnostics.style }

    func isToken(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) != nil
    }

    // MARK: Bodies

    func body(_ node: DocumentNode) -> RequestBody? {
        guard let node = followed(node), var members = Members(node, "a request body", diagnostics) else { return nil }
        members.ignore("description")
        let isRequired = members.boolean("required") ?? false
        let contents = contents(&members, "a request")
        members.finish()
        guard style.isLibrary else {
            guard contents.count == 1, let content = contents.first, !content.isPattern else {
                diagnostics.report(
                    node.position, "only a request body of one media type is supported, which is no pattern")
                return nil
            }
            let isKnown = content.kind == .json || content.kind == .form
            return RequestBody(
                position: !isKnown || !isRequired ? node.position : content.position, contents: contents,
                isRequired: isRequired)
        }
        guard !contents.isEmpty else { return nil }
        return RequestBody(position: node.position, contents: contents, isRequired: isRequired)
    }

    /// - Parameter known: Names of the component responses.
    func answer(_ node: DocumentNode, _ known: Set<String>) -> Operation.Answer? {
        guard let reference = reference(node) else { return response(node).map { .inline($0) } }
        if let name = References.component(reference, "responses"), known.contains(name) { return .shared(name) }
        guard style.isLibrary, References.component(reference, "responses") == nil, let target = followed(node) else {
            diagnostics.report(node.position, Reference.problem(reference, "responses"))
            return nil
        }
        return response(target).map { .inline($0) }
    }

    func response(_ node: DocumentNode) -> Response? {
        guard let node = style.isLibrary ? followed(node) : node,
            var members = Members(node, "a response", diagnostics)
        else { return nil }
        let description: String
        if style.isLibrary {
            description = members.string("description") ?? members.string("summary") ?? ""
            members.ignore("summary")
        } else {
            description = members.requiredString("description") ?? ""
        }
        let headers = members.named("headers").compactMap(header)
        let contents = contents(&members, "a response")
        members.finish()
        return Response(description: description, headers: headers, contents: contents)
    }

    func header(_ member: DocumentNode.Member) -> Header? {
        guard let node = followed(member.value), var members = Members(node, "a header", diagnostics) else {
            return nil
        }
        let description = members.string("description")
        let schema = style.isLibrary ? members.node("schema") : members.required("schema")
        let type = schema.map { headerType(schemas.read($0), $0.position) } ?? .string
        // Middleware can add a required header after the handler, so no type requires it.
        members.ignore("required", "example", "examples", "deprecated")
        if style.isLibrary { members.ignore("style", "explode", "content", "allowReserved", "allowEmptyValue") }
        members.finish()
        guard isToken(member.key) else {
            diagnostics.warn(member.keyPosition, "'\(member.key)' is no name of a header")
            return nil
        }
        return Header(name: member.key.lowercased(), description: description, type: type)
    }

    private func headerType(_ schema: Schema, _ position: SourcePosition) -> ScalarType {
        if let type = scalar(schema) { return type }
        if style.isLibrary { return .string }
        diagnostics.report(
            position, "a header of this type is not supported; supported are: string, integer, number, boolean")
        return .string
    }

    /// Returns the type of a value that is a single text; nil for several values.
    func scalar(_ schema: Schema) -> ScalarType? {
        switch table.resolved(schema).shape {
        case .scalar(let type): type
        case .enumeration: .string
        case .integers: .integer
        default: nil
        }
    }

    // MARK: Contents

    private func contents(_ members: inout Members, _ subject: String) -> [Content] {
        var types: Set<String> = []
        return members.named("content").compactMap { member in
            guard let type = mediaType(member) else { return nil }
            guard types.insert(type).inserted else {
                diagnostics.warn(
                    member.keyPosition,
                    "'\(type)' stands twice in \(subject), with different parameters: the first counts")
                return nil
            }
            guard let node = followed(member.value), var content = Members(node, "a media type", diagnostics) else {
                return nil
            }
            let schema = content.node("schema").map(schemas.read)
            // The schema is validated, although no code results from it, because nothing else refers to the schema of
            // an event.
            _ = content.node("x-event-schema").map(schemas.read)
            content.ignore("example", "examples")
            var nested: [String] = []
            if style.isLibrary {
                content.ignore("itemSchema", "itemEncoding", "prefixEncoding", "encoding")
                if case .mapping(let encodings)? = node["encoding"]?.value {
                    nested = encodings.filter { $0.value["style"]?.isText("deepObject") == true }.map(\.key)
                }
            }
            content.finish()
            var whole = Content(
                position: member.keyPosition, mediaType: type, fullType: style.isLibrary ? member.key : type,
                schema: schema, nested: nested)
            if style.isLibrary { readParts(of: node, into: &whole) }
            return whole
        }
    }

    /// Returns the media type in lower case, without parameters.
    private func mediaType(_ member: DocumentNode.Member) -> String? {
        guard style.isLibrary else {
            // Messages are compared with this text.
            if member.key.wholeMatch(of: /[a-z0-9!#$&^_.+-]+\/([a-z0-9!#$&^_.+-]+|\*)/) == nil {
                diagnostics.report(
                    member.keyPosition,
                    "a body's media type is written in lower case, without parameters, such as 'text/plain' or "
                        + "'audio/*', not '\(member.key)'")
            }
            return member.key
        }
        let text = member.key.prefix { $0 != ";" }.lowercased()
        let type = text.split(separator: " ").joined()
        guard type.wholeMatch(of: /[a-z0-9!#$&^_.+-]+\/([a-z0-9!#$&^_.+-]+|\*)|\*\/\*/) != nil, isPlain(member.key)
        else {
            if type.hasPrefix("x-") { return nil }
            if type == "*" { return "*/*" }
            diagnostics.warn(member.keyPosition, "'\(member.key)' is no media type, and has no effect")
            return nil
        }
        return type
    }

    /// Returns whether a text is valid in a header.
    private func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

    // MARK: References

    func reference(_ node: DocumentNode) -> String? {
        guard case .mapping(let members) = node.value, let target = members.first(where: { $0.key == "$ref" }),
            case .string(let name) = target.value.value
        else { return nil }
        for other in members where !["$ref", "summary", "description"].contains(other.key) {
            if style.isLibrary { continue }
            diagnostics.report(other.keyPosition, "'\(other.key)' beside '$ref' is not supported")
        }
        return name
    }

    /// Returns the final target of a reference.
    func followed(_ node: DocumentNode) -> DocumentNode? {
        var node = node
        for _ in 0..<16 {
            guard let reference = reference(node) else { return node }
            guard let target = references.target(of: reference) else {
                diagnostics.report(
                    node.position,
                    reference.hasPrefix("#/")
                        ? "there is no '\(reference)'" : "'\(reference)' is in another file, which is not read")
                return nil
            }
            node = target
        }
        diagnostics.report(node.position, "a reference leads to itself")
        return nil
    }
}
