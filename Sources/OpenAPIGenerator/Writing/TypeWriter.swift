/// Writes the types of schemas that Headgate owns.
struct TypeWriter {
    let schemas: SchemaTable
    let diagnostics: Diagnostics
    let style: CodeStyle
    let recursion: Recursion
    /// The schema of the components whose type is written.
    private(set) var owner: String?

    init(schemas: SchemaTable, diagnostics: Diagnostics, style: CodeStyle, recursion: Recursion) {
        self.schemas = schemas
        self.diagnostics = diagnostics
        self.style = style
        self.recursion = recursion
    }

    /// The Swift type of a schema, without its optionality. One that has no name yet is called `payload` beside its
    /// use.
    func type(of schema: Schema, payload: String) -> String {
        switch schema.shape {
        case .reference(let name): return "Components.Schemas.\(SwiftName.type(name))"
        case .string(let cases): return cases == nil ? "String" : payload
        case .integer: return "Int"
        case .number: return "Double"
        case .boolean: return "Bool"
        case .array(let items):
            let mark = style.isLibrary && isNullable(items) ? "?" : ""
            return "[\(type(of: items, payload: payload))\(mark)]"
        case .map(let values):
            return "[String: \(type(of: values, payload: payload))\(isNullable(values) ? "?" : "")]"
        case .object, .oneOf, .anyOf: return payload
        case .untyped(let what):
            if let what {
                diagnostics.report(schema.position, "\(what) has no Swift type; it is supported only in relayed bodies")
            }
            return "Never"
        }
    }

    /// Writes the declaration of a schema of the components.
    func declareNamed(_ schema: Schema, _ component: String, in text: inout SourceText) {
        let name = SwiftName.type(component)
        if style.isLibrary, SwiftName.used.contains(name) {
            diagnostics.report(
                schema.position, "a schema cannot be called '\(name)': generated code uses another type of that name")
        }
        var writer = self
        writer.owner = component
        writer.declareOwned(schema, as: name, in: &text)
    }

    private func declareOwned(_ schema: Schema, as name: String, in text: inout SourceText) {
        switch schema.shape {
        case .object, .oneOf, .anyOf, .string(cases: _?): declare(schema, as: name, in: &text)
        default:
            declare(schema, as: name + "Payload", in: &text)
            text.comment(schema.description)
            text.line("\(text.style.member)typealias \(name) = \(type(of: schema, payload: name + "Payload"))")
        }
    }

    /// Writes the declaration of a schema that has no name of its own, if it needs one.
    func declare(_ schema: Schema, as name: String, in text: inout SourceText) {
        switch schema.shape {
        case .string(let cases?):
            text.comment(schema.description)
            text.type("\(text.style.type)enum \(name)", enumerationConformances) { text in
                report(duplicatesIn: cases, schema.position)
                for value in cases {
                    let member = SwiftName.member(value)
                    text.line("case \(member)" + (member == value ? "" : " = \(SourceLiteral.quoted(value))"))
                }
            }
            text.gap()
        case .array(let items), .map(let items): declare(items, as: name, in: &text)
        case .object(let properties, let isOpen):
            if isOpen {
                diagnostics.report(
                    schema.position, "an object with 'additionalProperties: true' has no Swift type inside another one")
            }
            text.comment(schema.description)
            declareObject(properties, as: name, schema.position, in: &text)
            text.gap()
        case .oneOf(let choices, let discriminator):
            text.comment(schema.description)
            declareChoice(choices, discriminator, as: name, schema.position, in: &text)
            text.gap()
        case .anyOf(let choices):
            text.comment(schema.description)
            declareAnyOf(choices, as: name, schema.position, in: &text)
            text.gap()
        default: break
        }
    }

    static let conformances = ["Codable", "Hashable", "Sendable", "JSONWritable"]

    /// Every enumeration may be a parameter.
    private var enumerationConformances: [String] {
        ["String"] + TypeWriter.conformances + (style.isLibrary ? ["ParameterValue"] : []) + ["CaseIterable"]
    }

    private func declareObject(
        _ properties: [Property], as name: String, _ position: SourcePosition, in text: inout SourceText
    ) {
        report(duplicatesIn: properties.map(\.name), position)
        text.type("\(text.style.type)struct \(name)", TypeWriter.conformances) { text in
            for property in properties { declare(property.schema, as: payload(property), in: &text) }
            for property in properties {
                text.comment(property.schema.description)
                declareMember(
                    SwiftName.member(property.name), type(of: property), isBoxed: isRecursive(property.schema),
                    in: &text
                )
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init", properties.map { parameter($0) },
                properties.map { property in
                    let member = SwiftName.member(property.name)
                    return "self." + assignment(of: member, to: member, isBoxed: isRecursive(property.schema))
                })
            text.gap()
            declareCoding(properties, in: &text)
            declareWriting(properties, in: &text)
        }
    }

    private func declareCoding(_ properties: [Property], in text: inout SourceText) {
        text.block("private \(text.style.extending)enum CodingKeys: String, CodingKey") { text in
            for property in properties {
                let member = SwiftName.member(property.name)
                let value = member == property.name ? "" : " = \(SourceLiteral.quoted(property.name))"
                text.line("case \(member)\(value)")
            }
        }
        let hasBoxes = properties.contains { isRecursive($0.schema) }
        if hasBoxes { declareDecoding(properties, in: &text) }
        guard hasBoxes || properties.contains(where: { $0.isRequired && isOptional($0) }) else { return }
        text.gap()
        // Written out, because what a compiler makes leaves a nil out where the contract wants a null, and writes one
        // of a box where it does not.
        text.block("\(text.style.member)func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for property in properties {
                let member = SwiftName.member(property.name)
                let method = property.isRequired ? "encode" : "encodeIfPresent"
                text.line("try container.\(method)(\(TypeWriter.own(member)), forKey: .\(member))")
            }
        }
    }

    private func declareDecoding(_ properties: [Property], in text: inout SourceText) {
        text.gap()
        text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
            text.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            for property in properties {
                let member = SwiftName.member(property.name)
                let method = isOptional(property) ? "decodeIfPresent" : "decode"
                let type = type(of: property.schema, payload: payload(property))
                let value = "try container.\(method)(\(type).self, forKey: .\(member))"
                let isBoxed = isRecursive(property.schema)
                text.line(assignment(of: isBoxed ? member : TypeWriter.own(member), to: value, isBoxed: isBoxed))
            }
        }
    }

    /// A property where it is coded, beside what has such a name there.
    private static func own(_ member: String) -> String {
        ["container", "decoder", "encoder"].contains(member) ? "self.\(member)" : member
    }

    /// Writes a property; one that is boxed is stored under another name.
    func declareMember(_ member: String, _ type: String, isBoxed: Bool, in text: inout SourceText) {
        guard isBoxed else { return text.line("\(text.style.member)var \(member): \(type)") }
        let storage = TypeWriter.storage(of: member)
        text.block("\(text.style.member)var \(member): \(type)") { text in
            text.line("get { \(storage).value }")
            text.line("set { \(storage) = Boxed(newValue) }")
        }
        text.line("private var \(storage): Boxed<\(type)>")
    }

    /// In an initialiser, where nothing can be set that is not stored.
    func assignment(of member: String, to value: String, isBoxed: Bool) -> String {
        isBoxed ? "\(TypeWriter.storage(of: member)) = Boxed(\(value))" : "\(member) = \(value)"
    }

    /// No name of the document's begins so.
    private static func storage(of member: String) -> String { "_" + member.replacing("`", with: "") }

    /// Whether a value of the schema, as a member of the type that is written, may hold another of that type.
    func isRecursive(_ schema: Schema) -> Bool {
        guard style.isLibrary, let owner, case .reference(let name) = schema.shape else { return false }
        return recursion.leads(from: name, backTo: owner)
    }

    private func parameter(_ property: Property) -> String {
        var text = "\(SwiftName.member(property.name)): \(type(of: property))"
        if isOptional(property) {
            text += " = nil"
        } else if case .string(let cases?) = property.schema.shape, cases.count == 1 {
            text += " = .\(SwiftName.member(cases[0]))"
        }
        return text
    }

    private func type(of property: Property) -> String {
        type(of: property.schema, payload: payload(property)) + (isOptional(property) ? "?" : "")
    }

    private func payload(_ property: Property) -> String { SwiftName.type(property.name) + "Payload" }

    private func isOptional(_ property: Property) -> Bool { !property.isRequired || isNullable(property.schema) }

    private func isNullable(_ schema: Schema) -> Bool {
        schema.isNullable || schemas.resolved(schema).isNullable
    }

    func report(duplicatesIn names: [String], _ position: SourcePosition) {
        let members = names.map(SwiftName.member)
        for (index, member) in members.enumerated() where members[..<index].contains(member) {
            diagnostics.report(position, "'\(names[index])' and another name here are both '\(member)' in Swift")
        }
    }
}
