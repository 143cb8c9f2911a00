/// Reading of parameters.
extension MessageReader {
    func parameter(_ node: DocumentNode) -> Parameter? {
        guard let node = followed(node), var members = Members(node, "a parameter", diagnostics),
            let name = members.requiredString("name"), let place = members.requiredString("in")
        else { return nil }
        let description = members.string("description")
        let isRequired = members.boolean("required") ?? false
        let content = style.isLibrary ? members.node("content") : nil
        let schema = style.isLibrary ? members.node("schema") : members.required("schema")
        let named = members.node("style")
        let explodes = members.node("explode")
        members.ignore("example", "examples", "deprecated", "allowEmptyValue")
        if style.isLibrary { members.ignore("allowReserved") }
        members.finish()
        let known: [Parameter.Location] =
            style.isLibrary ? [.path, .query, .header, .cookie] : [.path, .query, .header]
        if style.isLibrary, place == "querystring" { return query(name, content, isRequired, description, node) }
        guard let location = Parameter.Location(rawValue: place), known.contains(location) else {
            diagnostics.report(
                node.position,
                "a parameter in '\(place)' is not supported; supported are: "
                    + known.map(\.rawValue).joined(separator: ", "))
            return nil
        }
        if location == .path, !isRequired {
            diagnostics.warn(node.position, "parameter '\(name)': needs 'required: true' in the path")
            if !style.isLibrary { return nil }
        }
        guard location != .header || isToken(name), location != .cookie || isToken(name) else {
            diagnostics.report(node.position, "'\(name)' is no name of a \(place)")
            return nil
        }
        if !style.isLibrary { check(named, explodes, location) }
        return Parameter(
            position: node.position, name: location == .header ? name.lowercased() : name, location: location,
            description: description, isRequired: isRequired || location == .path,
            type: content.map { jsonType($0) } ?? type(schema, location, named, explodes, node))
    }

    /// Returns a parameter that is the whole query: an object whose members are the query's items.
    private func query(
        _ name: String, _ content: DocumentNode?, _ isRequired: Bool, _ description: String?, _ node: DocumentNode
    ) -> Parameter? {
        guard case .mapping(let members)? = content?.value, members.count == 1, let schema = members[0].value["schema"],
            members[0].key.lowercased() == "application/x-www-form-urlencoded"
        else {
            diagnostics.report(node.position, "a parameter in 'querystring' is supported only as a form with a schema")
            return nil
        }
        return Parameter(
            position: node.position, name: name, location: .query, description: description, isRequired: isRequired,
            type: ParameterType(form: .styled("exploded"), schema: schemas.read(schema)))
    }

    /// Returns a required text parameter of which only the name is known.
    func text(_ name: String, _ location: Parameter.Location, _ position: SourcePosition) -> Parameter {
        Parameter(
            position: position, name: name, location: location, description: nil, isRequired: true,
            type: ParameterType(form: .scalar(.string), schema: plainText(position)))
    }

    private func plainText(_ position: SourcePosition) -> Schema {
        Schema(position: position, description: nil, shape: .scalar(.string), isNullable: false)
    }

    /// Checks that the style is the default one, because no other style is supported here.
    private func check(_ named: DocumentNode?, _ explodes: DocumentNode?, _ location: Parameter.Location) {
        let usual = location == .query ? "form" : "simple"
        if let named, !named.isText(usual) {
            diagnostics.report(named.position, "the only 'style' supported in a \(location.rawValue) is '\(usual)'")
        }
        if let explodes, location == .query, case .boolean(true) = explodes.value { return }
        if let explodes, location != .query, case .boolean(false) = explodes.value { return }
        if let explodes {
            diagnostics.report(
                explodes.position, "the only 'explode' supported in a \(location.rawValue) is \(location == .query)")
        }
    }

    /// Returns the type of a parameter with `content`.
    private func jsonType(_ content: DocumentNode) -> ParameterType {
        guard case .mapping(let members) = content.value, let first = members.first else {
            return ParameterType(form: .scalar(.string), schema: plainText(content.position))
        }
        guard first.key.contains("json"), let schema = first.value["schema"] else {
            diagnostics.warn(first.keyPosition, "a parameter of '\(first.key)' is text")
            return ParameterType(form: .scalar(.string), schema: plainText(content.position))
        }
        return ParameterType(form: .styled("json"), schema: schemas.read(schema))
    }

    private func type(
        _ node: DocumentNode?, _ location: Parameter.Location, _ named: DocumentNode?, _ explodes: DocumentNode?,
        _ parameter: DocumentNode
    ) -> ParameterType {
        guard let node else {
            if style.isLibrary { diagnostics.warn(parameter.position, "a parameter without 'schema' is text") }
            return ParameterType(form: .scalar(.string), schema: plainText(parameter.position))
        }
        let schema = schemas.read(node)
        let resolved = table.resolved(schema)
        let form = style.isLibrary ? form(location, named, explodes) : ""
        if let scalar = scalar(schema), !form.lowercased().hasSuffix("matrix"), !form.lowercased().hasSuffix("label") {
            return ParameterType(form: .scalar(scalar), schema: schema)
        }
        guard style.isLibrary else {
            let isList = if case .array = resolved.shape { location == .query } else { false }
            if isList, case .array(let items) = resolved.shape, scalar(items) != nil {
                return ParameterType(form: .list, schema: items)
            }
            diagnostics.report(
                node.position,
                "\(isList ? "a list in the query" : "a parameter") of this type is not supported; supported are: "
                    + "string, integer, number, boolean")
            return ParameterType(form: .scalar(.string), schema: schema)
        }
        if case .array(let items) = resolved.shape, form == "exploded", scalar(items) != nil {
            return ParameterType(form: .list, schema: items)
        }
        return ParameterType(form: .styled(form), schema: schema)
    }

    /// Returns the case of `ParameterStyle`, and reports unsupported styles.
    private func form(_ location: Parameter.Location, _ named: DocumentNode?, _ explodes: DocumentNode?) -> String {
        let isForm = location == .query || location == .cookie
        let name = named?.text ?? (isForm ? "form" : "simple")
        let isExploded = if case .boolean(let flag)? = explodes?.value { flag } else { name == "form" }
        switch (location, name) {
        case (.query, "form"): return isExploded ? "exploded" : "commas"
        case (.query, "spaceDelimited"): return isExploded ? "exploded" : "spaces"
        case (.query, "pipeDelimited"): return isExploded ? "exploded" : "bars"
        case (.query, "deepObject"): return "deepObject"
        case (.path, "simple"), (.header, "simple"): return isExploded ? "assignments" : "commas"
        case (.cookie, "form"): return "commas"
        case (.path, "matrix"): return isExploded ? "explodedMatrix" : "matrix"
        case (.path, "label"): return isExploded ? "explodedLabel" : "label"
        default:
            let problem = "the style '\(name)' in a \(location.rawValue) is not supported"
            if location == .path {
                diagnostics.report(named?.position ?? .start, problem)
            } else {
                diagnostics.warn(named?.position ?? .start, problem)
            }
            return isForm ? "exploded" : "commas"
        }
    }
}

extension SourcePosition {
    static let start = SourcePosition(line: 1, column: 1)
}
