/// Reading of composed schemas, which consist of their own members and of other schemas.
extension SchemaReader {
    /// Type of a schema's value, as far as the document determines it.
    private enum Kind: Hashable {
        case object
        case other
        case null
    }

    // MARK: Composing

    /// Returns the shape of a schema in a library's document.
    func composed(_ node: DocumentNode, _ types: [String], _ members: inout Members) -> Schema.Shape {
        let told = members.node("discriminator").flatMap(discriminator)
        let all = members.list("allOf").filter(saysType)
        let choices = choices(in: node, types, &members)
        // Each choice has the properties of the whole schema.
        if leadBack(choices), let choice = oneOf(choices, node, told, &members) {
            members.ignoreParts()
            return choice
        }
        if joinsObjects(node, all), areOnlyChecks(choices, node) {
            members.ignoreParts()
            guard let reader = joining(node) else {
                return unusable(node.position, "an 'allOf' without a name holds itself")
            }
            return ObjectJoiner.join(node, reader).shape
        }
        let own = own(node, types, &members)
        let isScalar = types.count == 1 && types != ["object"]
        guard !(isScalar && all.isEmpty), !areOnlyChecks(choices, node) || all.count > 0 else {
            return constants(choices) ?? own ?? .any
        }
        let choice = areOnlyChecks(choices, node) ? nil : oneOf(choices, node, told, &members)
        var parts = all.map(read)
        if let own { parts.append(part(node, own)) }
        if let choice { parts.append(part(node, choice)) }
        return joined(parts, node, all)
    }

    private func part(_ node: DocumentNode, _ shape: Schema.Shape) -> Schema {
        Schema(position: node.position, description: nil, shape: shape, isNullable: false)
    }

    /// Returns the shape for several parts that must all match.
    private func joined(_ parts: [Schema], _ node: DocumentNode, _ all: [DocumentNode]) -> Schema.Shape {
        let typed = parts.filter { part in
            switch part.shape {
            case .any, .untyped: false
            default: true
            }
        }
        guard let first = typed.first else { return .any }
        guard typed.count > 1 else { return first.shape }
        if kinds(of: node, []).isSubset(of: [.object, .null]) {
            let shaped = typed.filter { if case .anyObject = $0.shape { false } else { true } }
            return shaped.count > 1 ? .allOf(shaped) : shaped.first?.shape ?? .anyObject
        }
        // The most specific part is used.
        for part in typed.reversed() {
            switch part.shape {
            case .enumeration, .integers: return part.shape
            default: continue
            }
        }
        if kinds(of: node, []).contains(.object) {
            return unusable(node.position, "'allOf' joins schemas of different types")
        }
        if typed.allSatisfy({ if case .array = $0.shape { true } else { false } }) {
            return typed[typed.count - 1].shape
        }
        return first.shape
    }

    // MARK: Own members

    private func own(_ node: DocumentNode, _ types: [String], _ members: inout Members) -> Schema.Shape? {
        let cases = cases(&members).filter { if case .null = $0.value { false } else { true } }
        let properties = properties(&members)
        let others = others(&members)
        let items = items(&members)
        let format = node["format"]?.text
        let encoding = members.string("contentEncoding")
        let isBase64 = format == "byte" || encoding == "base64"
        let shapes = types.map { type -> Schema.Shape in
            switch type {
            case "string": text(cases, format, isBase64: isBase64)
            case "integer": integer(cases, format)
            case "number": .scalar(format == "float" ? .number32 : .number)
            case "boolean": .scalar(.boolean)
            case "object": object(properties, others)
            case "array": .array(items ?? part(node, .any))
            default: .untyped("a schema of nothing but null")
            }
        }
        if shapes.count > 1 { return .oneOf(shapes.map { part(node, $0) }, nil) }
        if let shape = shapes.first { return shape }
        if !properties.isEmpty { return object(properties, others) }
        switch others {
        case .none: break
        case .any, .values: return object([], others)
        }
        if let items { return .array(items) }
        return cases.isEmpty ? nil : values(cases)
    }

    private func items(_ members: inout Members) -> Schema? {
        if let tuple = members.node("prefixItems") {
            members.ignore("items")
            return part(tuple, .any)
        }
        return members.node("items").map(read)
    }

    private func object(_ properties: [Property], _ others: Schema.Others) -> Schema.Shape {
        guard properties.isEmpty else { return .object(properties, others: others) }
        if case .values(let values) = others { return .map(values) }
        return .anyObject
    }

    private func text(_ cases: [DocumentNode], _ format: String?, isBase64: Bool) -> Schema.Shape {
        let texts = cases.compactMap(\.scalarText)
        if !texts.isEmpty { return .enumeration(texts.withoutRepetitions) }
        if isBase64 { return .scalar(.base64) }
        return .scalar(format == "date-time" ? .date : .string)
    }

    private func integer(_ cases: [DocumentNode], _ format: String?) -> Schema.Shape {
        let numbers = cases.compactMap { $0.scalarText.flatMap { Int($0) } }
        if !numbers.isEmpty, numbers.count == cases.count { return .integers(numbers.withoutRepetitions) }
        switch format {
        case "int32": return .scalar(.integer32)
        case "int64": return .scalar(.integer64)
        default: return .scalar(.integer)
        }
    }

    /// Returns the shape of an `enum` without a type.
    private func values(_ cases: [DocumentNode]) -> Schema.Shape {
        if cases.allSatisfy({ $0.text != nil }) { return text(cases, nil, isBase64: false) }
        if cases.allSatisfy({ if case .boolean = $0.value { true } else { false } }) { return .scalar(.boolean) }
        guard cases.allSatisfy({ if case .number = $0.value { true } else { false } }) else { return .any }
        return cases.allSatisfy { $0.scalarText.flatMap { Int($0) } != nil } ? integer(cases, nil) : .scalar(.number)
    }

    // MARK: Choices

    private func choices(in node: DocumentNode, _ types: [String], _ members: inout Members) -> [DocumentNode] {
        let (one, any) = (members.list("oneOf"), members.list("anyOf"))
        if !one.isEmpty, let first = any.first, any.contains(where: saysType) {
            diagnostics.warn(first.position, "'anyOf' beside 'oneOf' has no effect")
        }
        return one.isEmpty ? any : one
    }

    private func oneOf(
        _ choices: [DocumentNode], _ node: DocumentNode, _ told: Discriminator?, _ members: inout Members
    ) -> Schema.Shape? {
        guard !choices.isEmpty else { return nil }
        if let constants = constants(choices) { return constants }
        var seen: Set<String> = []
        let schemas = choices.map(read).filter { choice in
            guard case .reference(let name) = choice.shape else { return true }
            return seen.insert(name).inserted
        }
        let isOneOf = node["oneOf"]?.items.isEmpty == false
        return isOneOf || told != nil ? .oneOf(schemas, told) : .anyOf(schemas)
    }

    /// Returns the enumeration of constants with descriptions.
    private func constants(_ choices: [DocumentNode]) -> Schema.Shape? {
        let described = choices.filter { !$0.isText("null") && $0["type"]?.isText("null") != true }
        let cases = described.compactMap { choice -> [DocumentNode]? in
            if let value = choice["const"] { return [value] }
            guard let values = choice["enum"]?.items, values.count == 1 else { return nil }
            return values
        }
        guard !cases.isEmpty, cases.count == described.count else { return nil }
        let shape = values(cases.flatMap { $0 })
        // Constants of different types are read like any other choice.
        if case .any = shape { return nil }
        return shape
    }

    /// Returns whether the choices only determine which properties are required.
    private func areOnlyChecks(_ choices: [DocumentNode], _ node: DocumentNode) -> Bool {
        guard choices.contains(where: saysType) else { return true }
        guard case .mapping(let own)? = node["properties"]?.value else { return false }
        let names = Set(own.map(\.key))
        return choices.allSatisfy { choice in
            guard case .mapping(let members) = choice.value else { return false }
            guard
                members.allSatisfy({
                    !SchemaReader.ofTypes.contains($0.key) || $0.key == "properties" || $0.key == "required"
                        || $0.key == "type"
                })
            else { return false }
            guard case .mapping(let properties)? = choice["properties"]?.value else { return true }
            return properties.allSatisfy { names.contains($0.key) }
        }
    }

    /// Returns whether the choices refer to this schema as their common base.
    func leadBack(_ choices: [DocumentNode]) -> Bool {
        guard let owner else { return false }
        return choices.contains { reaches($0, [owner]) }
    }

    /// Returns whether a schema reaches one of these names by references and compositions alone.
    func reaches(_ node: DocumentNode, _ names: Set<String>) -> Bool {
        var seen: Set<String> = []
        var waiting = [node]
        while let next = waiting.popLast() {
            if let name = next["$ref"]?.text.flatMap({ References.component($0, "schemas") }) {
                if names.contains(name) { return true }
                if seen.insert(name).inserted, let target = components[name] { waiting.append(target) }
            }
            for keyword in ["allOf", "oneOf", "anyOf"] { waiting += next[keyword]?.items ?? [] }
        }
        return false
    }

    // MARK: Kinds

    static let ofTypes: Set = [
        "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "const", "allOf", "oneOf",
        "anyOf",
    ]

    /// Returns whether a schema does more than require properties.
    func saysType(_ node: DocumentNode) -> Bool {
        guard case .mapping(let members) = node.value else { return false }
        return members.contains { SchemaReader.ofTypes.contains($0.key) && $0.key != "required" }
    }

    /// Returns whether a schema and all its parts are objects whose properties can be joined into one object.
    private func joinsObjects(_ node: DocumentNode, _ all: [DocumentNode]) -> Bool {
        let hasOwn = ["type", "properties", "required", "additionalProperties"].contains { node[$0] != nil }
        guard all.count > 1 || all.count == 1 && hasOwn else { return false }
        return all.allSatisfy { canJoin($0, owner.map { [$0] } ?? []) } && isObject(node)
    }

    private func isObject(_ node: DocumentNode) -> Bool {
        switch node["type"]?.value {
        case nil: node["enum"] == nil && node["const"] == nil && node["items"] == nil
        case .string(let type)?: type == "object"
        case .sequence(let types)?: types.allSatisfy { $0.isText("object") || $0.isText("null") }
        default: false
        }
    }

    private func canJoin(_ node: DocumentNode, _ path: [String]) -> Bool {
        guard diagnostics.count(node.position) else { return false }
        if let reference = node["$ref"]?.text {
            guard let name = References.component(reference, "schemas"), let target = components[name] else {
                guard let target = references.target(of: reference), path.count < 32 else { return false }
                return canJoin(target, path + [reference])
            }
            return path.contains(name) || canJoin(target, path + [name])
        }
        guard case .mapping = node.value, isObject(node) else { return false }
        let choices = (node["oneOf"]?.items ?? []) + (node["anyOf"]?.items ?? [])
        guard
            !choices.contains(where: saysType) || areOnlyChecks(choices, node)
                || choices.contains(where: { reaches($0, Set(path)) })
        else { return false }
        return (node["allOf"]?.items ?? []).filter(saysType).allSatisfy { canJoin($0, path) }
    }

    private func kinds(of node: DocumentNode, _ path: [String]) -> Set<Kind> {
        guard diagnostics.count(node.position) else { return [] }
        if let reference = node["$ref"]?.text {
            guard !path.contains(reference), let target = references.target(of: reference) else { return [] }
            return kinds(of: target, path + [reference])
        }
        var found: Set<Kind> = []
        switch node["type"]?.value {
        case .string(let type)?: found.insert(SchemaReader.kind(type))
        case .sequence(let types)?: found.formUnion(types.compactMap(\.text).map(SchemaReader.kind))
        default:
            if node["properties"] != nil || node["additionalProperties"] != nil { found.insert(.object) }
            if node["items"] != nil || node["enum"] != nil || node["const"] != nil { found.insert(.other) }
        }
        for keyword in ["allOf", "oneOf", "anyOf"] {
            for part in node[keyword]?.items ?? [] { found.formUnion(kinds(of: part, path)) }
        }
        return found
    }

    private static func kind(_ type: String) -> Kind {
        switch type {
        case "object": .object
        case "null": .null
        default: .other
        }
    }
}

extension Members {
    /// Ignores the members that are read when the parts are joined.
    fileprivate mutating func ignoreParts() {
        ignore("properties", "required", "additionalProperties", "patternProperties", "items", "enum", "const")
    }
}

extension DocumentNode {
    /// Text of a scalar.
    var scalarText: String? {
        switch value {
        case .string(let text), .number(let text): text
        case .boolean(let flag): "\(flag)"
        case .null, .sequence, .mapping: nil
        }
    }
}

extension Array where Element: Hashable {
    var withoutRepetitions: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension SchemaReader {
    /// Reads a discriminator.
    func discriminator(_ node: DocumentNode) -> Discriminator? {
        guard let property = node["propertyName"]?.text else {
            diagnostics.warn(node.position, "a discriminator needs 'propertyName'")
            return nil
        }
        var mapping: [Discriminator.Value] = []
        if case .mapping(let members)? = node["mapping"]?.value {
            for member in members {
                // A plain name can refer to a schema too.
                let text = member.value.text ?? ""
                let name = known.contains(text) ? text : References.component(text, "schemas")
                if let name, known.contains(name) {
                    mapping.append(Discriminator.Value(text: member.key, schema: name))
                } else {
                    diagnostics.warn(member.value.position, Reference.problem(text, "schemas"))
                }
            }
        }
        return Discriminator(position: node.position, property: property, mapping: mapping)
    }
}
