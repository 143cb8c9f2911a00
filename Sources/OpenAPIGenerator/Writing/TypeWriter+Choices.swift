/// Types of schemas that are one, or at least one, of several.
extension TypeWriter {
    private struct Choice {
        let name: String
        /// What it is called where it has no name of its own.
        let payload: String
        let schema: Schema
    }

    private func named(_ choices: [Schema], _ prefix: String) -> [Choice] {
        choices.enumerated().map { index, schema in
            let number = "\(prefix)\(index + 1)"
            guard case .reference(let name) = schema.shape, prefix == "case" else {
                if !style.isLibrary {
                    diagnostics.report(schema.position, "a choice of 'oneOf' must be a '$ref' to be a Swift type")
                }
                return Choice(name: number, payload: SwiftName.type(number) + "Payload", schema: schema)
            }
            return Choice(name: name, payload: "", schema: schema)
        }
    }

    private func type(of choice: Choice) -> String { type(of: choice.schema, payload: choice.payload) }

    // MARK: One of several

    /// Writes an enumeration, which is decoded as the discriminator says, else as the first choice that fits.
    func declareChoice(
        _ schemas: [Schema], _ discriminator: Discriminator?, as name: String, _ position: SourcePosition,
        in text: inout SourceText
    ) {
        let choices = named(schemas, "case")
        report(duplicatesIn: choices.map(\.name), position)
        let isIndirect = choices.contains { isRecursive($0.schema) }
        let keyword = isIndirect ? "indirect enum" : "enum"
        text.type("\(text.style.type)\(keyword) \(name)", TypeWriter.conformances) { text in
            for choice in choices { declare(choice.schema, as: choice.payload, in: &text) }
            for choice in choices { text.line("case \(SwiftName.member(choice.name))(\(type(of: choice)))") }
            text.gap()
            if let discriminator {
                declareDecoding(choices, by: discriminator, in: &text)
            } else {
                declareDecoding(choices, in: &text)
            }
            text.gap()
            text.block("\(text.style.member)func encode(to encoder: any Encoder) throws") { text in
                text.line("switch self {")
                for choice in choices {
                    text.line("case .\(SwiftName.member(choice.name))(let value): try value.encode(to: encoder)")
                }
                text.line("}")
            }
            declareWriting(of: choices.map(\.name), in: &text)
        }
    }

    private func declareDecoding(_ choices: [Choice], in text: inout SourceText) {
        text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
            for choice in choices.dropLast() {
                text.block("if let value = try? \(type(of: choice))(from: decoder)") { text in
                    text.line("self = .\(SwiftName.member(choice.name))(value)")
                    text.line("return")
                }
            }
            if let last = choices.last { text.line("self = .\(SwiftName.member(last.name))(try .init(from: decoder))") }
        }
    }

    private func declareDecoding(_ choices: [Choice], by discriminator: Discriminator, in text: inout SourceText) {
        let key = SwiftName.member(discriminator.property)
        var values: [String] = []
        text.block("private \(text.style.extending)enum DiscriminatorKeys: String, CodingKey") { text in
            let value = key == discriminator.property ? "" : " = \(SourceLiteral.quoted(discriminator.property))"
            text.line("case \(key)\(value)")
        }
        text.gap()
        text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
            text.line("let container = try decoder.container(keyedBy: DiscriminatorKeys.self)")
            text.line("switch try container.decode(String.self, forKey: .\(key)) {")
            for choice in choices {
                let texts = self.values(of: choice, discriminator)
                values += texts
                text.line("case \(texts.map(SourceLiteral.quoted).joined(separator: ", ")):")
                text.indented { $0.line("self = .\(SwiftName.member(choice.name))(try .init(from: decoder))") }
            }
            text.line("default:")
            text.indented { text in
                text.line("throw DecodingError.dataCorruptedError(")
                text.indented { text in
                    text.line("forKey: .\(key), in: container,")
                    text.line(
                        "debugDescription: \(SourceLiteral.quoted("known are: " + values.joined(separator: ", "))))")
                }
            }
            text.line("}")
        }
        for (index, value) in values.enumerated() where values[..<index].contains(value) {
            diagnostics.report(discriminator.position, "the value '\(value)' stands for several schemas")
        }
    }

    /// The values of the discriminator that stand for a choice, which has to have the property: nothing else writes it.
    private func values(of choice: Choice, _ discriminator: Discriminator) -> [String] {
        guard case .reference(let name) = choice.schema.shape else {
            diagnostics.report(choice.schema.position, "a choice beside 'discriminator' must be a '$ref'")
            return [choice.name]
        }
        if case .object(let properties, _)? = schemas[name]?.shape,
            properties.contains(where: { $0.name == discriminator.property })
        {
            return discriminator.values(of: name)
        }
        diagnostics.report(
            discriminator.position, "the schema '\(name)' has no property '\(discriminator.property)' to tell it by")
        return [name]
    }

    // MARK: At least one of several

    /// Objects with the members of all that fit; where not all are objects, only one fits, and it is as one of several.
    func declareAnyOf(
        _ schemas: [Schema], as name: String, _ position: SourcePosition, in text: inout SourceText
    ) {
        guard schemas.allSatisfy(isObject) else { return declareChoice(schemas, nil, as: name, position, in: &text) }
        let choices = named(schemas, "value")
        text.type("\(text.style.type)struct \(name)", TypeWriter.conformances) { text in
            for choice in choices { declare(choice.schema, as: choice.payload, in: &text) }
            for choice in choices {
                declareMember(
                    choice.name, type(of: choice) + "?", isBoxed: isRecursive(choice.schema), in: &text)
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init", choices.map { "\($0.name): \(type(of: $0))? = nil" },
                choices.map {
                    "self." + assignment(of: $0.name, to: $0.name, isBoxed: isRecursive($0.schema))
                })
            text.gap()
            text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
                for choice in choices {
                    let value = "try? \(type(of: choice))(from: decoder)"
                    text.line(assignment(of: choice.name, to: value, isBoxed: isRecursive(choice.schema)))
                }
                let none = choices.map { "\($0.name) == nil" }.joined(separator: ", ")
                text.block("if \(none)") { text in
                    text.line("let context = DecodingError.Context(")
                    text.indented { text in
                        text.line("codingPath: decoder.codingPath, debugDescription: \"no schema of 'anyOf' fits\")")
                    }
                    text.line("throw DecodingError.dataCorrupted(context)")
                }
            }
            text.gap()
            text.block("\(text.style.member)func encode(to encoder: any Encoder) throws") { text in
                for choice in choices { text.line("try \(choice.name)?.encode(to: encoder)") }
            }
            declareWritingTogether(in: &text)
        }
    }

    private func isObject(_ schema: Schema) -> Bool {
        if case .object = schemas.resolved(schema).shape { true } else { false }
    }
}
