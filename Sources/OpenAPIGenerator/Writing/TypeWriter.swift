/// Writes the types of schemas that Headgate owns.
struct TypeWriter {
    let schemas: SchemaTable
    let diagnostics: Diagnostics
    let style: CodeStyle

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
        case .object, .oneOf: return payload
        case .untyped(let what):
            if let what {
                diagnostics.report(schema.position, "\(what) has no Swift type; it is supported only in relayed bodies")
            }
            return "Never"
        }
    }

    /// Writes the declaration of a schema of the components.
    func declareNamed(_ schema: Schema, as name: String, in text: inout SourceText) {
        switch schema.shape {
        case .object, .oneOf, .string(cases: _?): declare(schema, as: name, in: &text)
        default:
            declare(schema, as: name + "Payload", in: &text)
            text.comment(schema.description)
            text.line("\(text.style.member)typealias \(name) = \(type(of: schema, payload: name + "Payload"))")
        }
    }

    /// The type of a parameter, or of one of its values.
    func type(of parameter: ParameterType, payload: String) -> String {
        guard style.isLibrary else { return parameter.scalar.rawValue }
        return type(of: parameter.schema, payload: payload)
    }

    /// Writes the declaration of what a parameter is, if it needs one.
    func declare(_ parameter: ParameterType, as name: String, in text: inout SourceText) {
        if style.isLibrary { declare(parameter.schema, as: name, in: &text) }
    }

    /// Writes the declaration of a schema that has no name of its own, if it needs one.
    func declare(_ schema: Schema, as name: String, in text: inout SourceText) {
        switch schema.shape {
        case .string(let cases?):
            text.comment(schema.description)
            text.block("\(text.style.type)enum \(name): String, \(conformances(text.style))CaseIterable") { text in
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
        case .oneOf(let choices):
            text.comment(schema.description)
            declareChoice(choices, as: name, in: &text)
            text.gap()
        default: break
        }
    }

    /// Every enumeration may be a parameter.
    private func conformances(_ style: CodeStyle) -> String {
        "Codable, Hashable, Sendable, " + (style.isLibrary ? "ParameterValue, " : "")
    }

    private func declareObject(
        _ properties: [Property], as name: String, _ position: SourcePosition, in text: inout SourceText
    ) {
        report(duplicatesIn: properties.map(\.name), position)
        text.block("\(text.style.type)struct \(name): Codable, Hashable, Sendable") { text in
            for property in properties { declare(property.schema, as: payload(property), in: &text) }
            for property in properties {
                text.comment(property.schema.description)
                text.line("\(text.style.member)var \(SwiftName.member(property.name)): \(type(of: property))")
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init", properties.map { parameter($0) },
                properties.map { "self.\(SwiftName.member($0.name)) = \(SwiftName.member($0.name))" })
            text.gap()
            declareCoding(properties, in: &text)
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
        guard properties.contains(where: { $0.isRequired && isOptional($0) }) else { return }
        text.gap()
        // Written out, because what a compiler makes leaves a nil out where the contract wants a null.
        text.block("\(text.style.member)func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for property in properties {
                let member = SwiftName.member(property.name)
                let method = property.isRequired ? "encode" : "encodeIfPresent"
                text.line("try container.\(method)(\(member), forKey: .\(member))")
            }
        }
    }

    private func declareChoice(_ choices: [Schema], as name: String, in text: inout SourceText) {
        let names = choices.compactMap { choice -> String? in
            guard case .reference(let name) = choice.shape else {
                diagnostics.report(choice.position, "a choice of 'oneOf' must be a '$ref' to be a Swift type")
                return nil
            }
            return name
        }
        text.block("\(text.style.type)enum \(name): Codable, Hashable, Sendable") { text in
            for name in names {
                text.line("case \(SwiftName.member(name))(Components.Schemas.\(SwiftName.type(name)))")
            }
            text.gap()
            text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
                for (index, name) in names.enumerated() {
                    let member = SwiftName.member(name)
                    if index + 1 == names.count {
                        text.line("self = .\(member)(try .init(from: decoder))")
                        continue
                    }
                    let type = "Components.Schemas.\(SwiftName.type(name))"
                    text.block("if let value = try? \(type)(from: decoder)") { text in
                        text.line("self = .\(member)(value)")
                        text.line("return")
                    }
                }
            }
            text.gap()
            text.block("\(text.style.member)func encode(to encoder: any Encoder) throws") { text in
                text.line("switch self {")
                for name in names {
                    text.line("case .\(SwiftName.member(name))(let value): try value.encode(to: encoder)")
                }
                text.line("}")
            }
        }
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

    private func report(duplicatesIn names: [String], _ position: SourcePosition) {
        let members = names.map(SwiftName.member)
        for (index, member) in members.enumerated() where members[..<index].contains(member) {
            diagnostics.report(position, "'\(names[index])' and another name here are both '\(member)' in Swift")
        }
    }
}
