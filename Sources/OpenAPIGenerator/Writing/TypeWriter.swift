/// Writes the types of schemas.
struct TypeWriter {
    let schemas: SchemaTable
    let diagnostics: Diagnostics
    let style: CodeStyle
    let recursion: Recursion
    /// Name of the component schema whose type is being written.
    private(set) var owner: String?
    /// Swift names of headers.
    private let headerMembers: [String: String]

    init(
        schemas: SchemaTable, diagnostics: Diagnostics, style: CodeStyle, recursion: Recursion, headerNames: [String]
    ) {
        let members = style.names.members(headerNames)
        headerMembers = Dictionary(zip(headerNames, members)) { first, _ in first }
        self.schemas = schemas
        self.diagnostics = diagnostics
        self.style = style
        self.recursion = recursion
    }

    func headerMember(_ name: String) -> String { headerMembers[name] ?? style.names.member(name) }

    /// Returns the Swift type of a schema, without its optionality. A schema without a name has the type `payload`,
    /// which is declared where the schema is used.
    func type(of schema: Schema, payload: String) -> String {
        switch schema.shape {
        case .reference(let name): return "Components.Schemas.\(schemas.type(name))"
        case .scalar(let type): return type.rawValue
        case .enumeration, .integers: return payload
        case .array(let items):
            let mark = style.isLibrary && isNullable(items) ? "?" : ""
            return "[\(type(of: items, payload: payload))\(mark)]"
        case .map(let values):
            return "[String: \(type(of: values, payload: payload))\(isNullable(values) ? "?" : "")]"
        case .object, .oneOf, .anyOf, .allOf: return payload
        case .any: return "OpenAPIValueContainer"
        case .anyObject: return "OpenAPIObjectContainer"
        case .untyped(let what):
            if style.isLibrary, !style.isStrict || what != nil { return "OpenAPIValueContainer" }
            if let what {
                diagnostics.report(schema.position, "\(what) has no Swift type; it is supported only in relayed bodies")
            }
            return "Never"
        }
    }

    /// Returns whether the type of a component schema is only an alias of a Swift type.
    func isPlain(_ schema: Schema) -> Bool {
        switch schema.shape {
        case .scalar(let type): type != .date && type != .base64
        case .array(let items), .map(let items): isPlain(items)
        // The target also has a declaration.
        case .reference: true
        default: false
        }
    }

    /// Writes the declaration of a component schema.
    func declareNamed(_ schema: Schema, _ component: String, in text: inout SourceText) {
        let name = schemas.type(component)
        if let type = style.typeOverrides[component] {
            text.comment(schema.description)
            return text.alias(name, type)
        }
        var writer = self
        writer.owner = component
        writer.declareOwned(schema, as: name, in: &text)
    }

    private func declareOwned(_ schema: Schema, as name: String, in text: inout SourceText) {
        switch schema.shape {
        case .object, .oneOf, .anyOf, .allOf, .enumeration, .integers: declare(schema, as: name, in: &text)
        default:
            declare(schema, as: name + "Payload", in: &text)
            text.comment(schema.description)
            text.alias(name, type(of: schema, payload: name + "Payload"))
        }
    }

    /// Writes the declaration of an unnamed schema, if it needs one.
    func declare(_ schema: Schema, as name: String, in text: inout SourceText) {
        switch schema.shape {
        case .enumeration(let cases):
            text.comment(schema.description)
            text.type("\(text.style.type)enum \(name)", ["String"] + enumerationConformances) { text in
                for (value, member) in zip(cases, members(cases, schema.position)) {
                    text.line("case \(member)" + (member == value ? "" : " = \(SourceLiteral.quoted(value))"))
                }
            }
            text.gap()
        case .integers(let cases):
            text.comment(schema.description)
            text.type("\(text.style.type)enum \(name)", ["Int"] + enumerationConformances) { text in
                let names = members(cases.map(String.init), schema.position)
                for (value, member) in zip(cases, names) { text.line("case \(member) = \(value)") }
            }
            text.gap()
        case .array(let items), .map(let items): declare(items, as: name, in: &text)
        case .object(let properties, let others):
            if case .any = others, !style.isLibrary {
                diagnostics.report(
                    schema.position, "an object with 'additionalProperties: true' has no Swift type inside another one")
            }
            text.comment(schema.description)
            declareObject(properties, others, as: name, schema.position, in: &text)
            text.gap()
        case .oneOf(let choices, let discriminator):
            text.comment(schema.description)
            declareChoice(choices, discriminator, as: name, schema.position, in: &text)
            text.gap()
        case .anyOf(let choices):
            text.comment(schema.description)
            declareAnyOf(choices, as: name, schema.position, in: &text)
            text.gap()
        case .allOf(let parts):
            text.comment(schema.description)
            declareTogether(parts, as: name, areOptional: false, in: &text)
            text.gap()
        default: break
        }
    }

    static let conformances = ["Codable", "Hashable", "Sendable", "JSONWritable"]

    /// Conformances of enumerations, each of which can be a parameter.
    private var enumerationConformances: [String] {
        TypeWriter.conformances + (style.isLibrary ? ["ParameterValue"] : []) + ["CaseIterable"]
    }

    /// Returns a property's name inside coding functions, which have parameters with similar names.
    static func own(_ member: String) -> String {
        ["container", "decoder", "encoder"].contains(member) ? "self.\(member)" : member
    }

    /// Writes a property. A boxed one is stored under another name.
    func declareMember(_ member: String, _ type: String, isBoxed: Bool, in text: inout SourceText) {
        guard isBoxed else { return text.line("\(text.style.member)var \(member): \(type)") }
        let storage = TypeWriter.storage(of: member)
        text.block("\(text.style.member)var \(member): \(type)") { text in
            text.line("get { \(storage).value }")
            text.line("set { \(storage) = Boxed(newValue) }")
        }
        text.line("private var \(storage): Boxed<\(type)>")
    }

    /// Returns the assignment of a member in an initializer, where only stored properties can be set.
    func assignment(of member: String, to value: String, isBoxed: Bool) -> String {
        isBoxed ? "\(TypeWriter.storage(of: member)) = Boxed(\(value))" : "\(member) = \(value)"
    }

    /// Returns the name of a boxed member's storage, which is unlikely to occur in a document.
    private static func storage(of member: String) -> String {
        let name = member.replacing("`", with: "")
        return "_boxed" + name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Returns whether a value of the schema, as a member of the type that is being written, can contain another value
    /// of that type.
    func isRecursive(_ schema: Schema) -> Bool {
        guard style.isLibrary, let owner, case .reference(let name) = schema.shape else { return false }
        return recursion.leads(from: name, backTo: owner)
    }

    func parameter(_ property: Property) -> String {
        var text = "\(property.member): \(type(of: property))"
        if isOptional(property) {
            text += " = nil"
        } else if case .enumeration(let cases) = property.schema.shape, cases.count == 1 {
            text += " = .\(style.names.member(cases[0]))"
        }
        return text
    }

    func type(of property: Property) -> String {
        type(of: property.schema, payload: property.payload) + (isOptional(property) ? "?" : "")
    }

    func isOptional(_ property: Property) -> Bool { !property.isRequired || isNullable(property.schema) }

    func isNullable(_ schema: Schema) -> Bool {
        schema.isNullable || schemas.resolved(schema).isNullable
    }

    /// Returns the names of adjacent members; in a library they are unique.
    func members(_ names: [String], _ position: SourcePosition) -> [String] {
        report(duplicatesIn: names, position)
        guard style.isLibrary else { return names.map(style.names.member) }
        // Members that an enumeration has in addition to its cases.
        return style.names.members(names, besides: ["allCases", "DiscriminatorKeys"])
    }

    func report(duplicatesIn names: [String], _ position: SourcePosition) {
        guard !style.isLibrary else { return }
        let members = names.map(style.names.member)
        for (index, member) in members.enumerated() where members[..<index].contains(member) {
            diagnostics.report(position, "'\(names[index])' and another name here are both '\(member)' in Swift")
        }
    }
}
