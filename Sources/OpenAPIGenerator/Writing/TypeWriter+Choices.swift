/// Writing of types for schemas that match one, or at least one, of several.
extension TypeWriter {
    private struct Choice {
        /// Swift name of the choice.
        let name: String
        /// Name of the payload's type if the schema has none.
        let payload: String
        let schema: Schema
    }

    private func named(_ choices: [Schema], _ prefix: String, _ position: SourcePosition) -> [Choice] {
        let texts = choices.enumerated().map { index, schema in
            guard case .reference(let name) = schema.shape, prefix == "case" else {
                if !style.isLibrary {
                    diagnostics.report(schema.position, "a choice of 'oneOf' must be a '$ref' to be a Swift type")
                }
                return "\(prefix)\(index + 1)"
            }
            return name
        }
        return zip(members(texts, position), choices).enumerated().map { index, each in
            Choice(
                name: each.0, payload: prefix.prefix(1).uppercased() + prefix.dropFirst() + "\(index + 1)Payload",
                schema: each.1)
        }
    }

    private func type(of choice: Choice) -> String { type(of: choice.schema, payload: choice.payload) }

    // MARK: One of several

    /// Writes an enumeration. It is decoded as the discriminator selects, or else as the first choice that matches.
    func declareChoice(
        _ schemas: [Schema], _ discriminator: Discriminator?, as name: String, _ position: SourcePosition,
        in text: inout SourceText
    ) {
        let choices = named(schemas, "case", position)
        let discriminator = discriminator.flatMap { usable($0, for: choices) }
        let isIndirect = choices.contains { isRecursive($0.schema) }
        let keyword = isIndirect ? "indirect enum" : "enum"
        text.type("\(text.style.type)\(keyword) \(name)", TypeWriter.conformances) { text in
            for choice in choices { declare(choice.schema, as: choice.payload, in: &text) }
            for choice in choices { text.line("case \(choice.name)(\(type(of: choice)))") }
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
                    text.line("case .\(choice.name)(let value): try \(encoding(of: "value", choice.schema))")
                }
                text.line("}")
            }
            declareWriting(of: choices.map(\.name), in: &text)
        }
    }

    /// Returns the code that decodes a single value.
    private func decoding(of choice: Choice, inferred: String? = nil) -> String {
        isDate(choice.schema)
            ? "decoder.value(\(type(of: choice)).self)" : "\(inferred ?? type(of: choice))(from: decoder)"
    }

    private func encoding(of value: String, _ schema: Schema) -> String {
        isDate(schema) ? "encoder.encode(value: \(value))" : "\(value).encode(to: encoder)"
    }

    /// Returns whether the decoder's strategy, and not the type, determines the format.
    private func isDate(_ schema: Schema) -> Bool {
        if case .scalar(.date) = schemas.resolved(schema).shape { true } else { false }
    }

    private func declareDecoding(_ choices: [Choice], in text: inout SourceText) {
        text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
            for choice in choices.dropLast() {
                text.block("if let value = try? \(decoding(of: choice))") { text in
                    text.line("self = .\(choice.name)(value)")
                    text.line("return")
                }
            }
            if let last = choices.last {
                text.line("self = .\(last.name)(try \(decoding(of: last, inferred: ".init")))")
            }
        }
    }

    private func declareDecoding(_ choices: [Choice], by discriminator: Discriminator, in text: inout SourceText) {
        let key = style.names.member(discriminator.property)
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
                let texts = self.values(of: choice, discriminator).filter { !style.isLibrary || !values.contains($0) }
                values += texts
                guard !texts.isEmpty else { continue }
                text.line("case \(texts.map(SourceLiteral.quoted).joined(separator: ", ")):")
                text.indented { $0.line("self = .\(choice.name)(try .init(from: decoder))") }
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
            diagnostics.warn(discriminator.position, "the value '\(value)' stands for several schemas")
        }
    }

    /// Returns the discriminator's values for a choice.
    private func values(of choice: Choice, _ discriminator: Discriminator) -> [String] {
        guard case .reference(let name) = choice.schema.shape else { return [choice.name] }
        return discriminator.values(of: name)
    }

    /// Returns the discriminator; nil, with a warning, if it does not distinguish the choices. Each choice must be a
    /// reference to objects with the property, because nothing else writes it.
    private func usable(_ discriminator: Discriminator, for choices: [Choice]) -> Discriminator? {
        var problem: (SourcePosition, String)?
        for choice in choices {
            if case .reference(let name) = choice.schema.shape {
                if !hasProperty(discriminator.property, choice.schema, []) {
                    problem = (
                        discriminator.position,
                        "the schema '\(name)' has no property '\(discriminator.property)' to tell it by"
                    )
                }
            } else {
                problem = (choice.schema.position, "a choice beside 'discriminator' must be a '$ref'")
            }
        }
        guard let (position, message) = problem else { return discriminator }
        diagnostics.warn(position, style.isStrict ? message : "\(message), so the first choice that fits counts")
        return style.isLibrary ? nil : discriminator
    }

    private func hasProperty(_ property: String, _ schema: Schema, _ path: [SourcePosition]) -> Bool {
        let found = schemas.resolved(schema)
        guard !path.contains(found.position) else { return false }
        switch found.shape {
        case .object(let properties, _): return properties.contains { $0.name == property }
        case .allOf(let parts): return parts.contains { hasProperty(property, $0, path + [found.position]) }
        case .oneOf(let choices, _) where style.isLibrary:
            return choices.allSatisfy { hasProperty(property, $0, path + [found.position]) }
        default: return false
        }
    }

    // MARK: At least one of several

    /// Writes a struct with the members of all matching objects. If not all choices are objects, only one can match,
    /// and the type is an enumeration.
    func declareAnyOf(
        _ schemas: [Schema], as name: String, _ position: SourcePosition, in text: inout SourceText
    ) {
        guard schemas.allSatisfy(isObject) else { return declareChoice(schemas, nil, as: name, position, in: &text) }
        declareTogether(schemas, as: name, areOptional: true, in: &text)
    }

    /// Writes a struct with the members of all matching choices.
    ///
    /// - Parameter areOptional: Whether one match suffices.
    func declareTogether(_ schemas: [Schema], as name: String, areOptional: Bool, in text: inout SourceText) {
        let choices = named(schemas, "value", .start)
        let mark = areOptional ? "?" : ""
        text.type("\(text.style.type)struct \(name)", TypeWriter.conformances) { text in
            for choice in choices { declare(choice.schema, as: choice.payload, in: &text) }
            for choice in choices {
                declareMember(
                    choice.name, type(of: choice) + mark, isBoxed: isRecursive(choice.schema), in: &text)
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init",
                choices.map { "\($0.name): \(type(of: $0))\(mark)\(areOptional ? " = nil" : "")" },
                choices.map {
                    "self." + assignment(of: $0.name, to: $0.name, isBoxed: isRecursive($0.schema))
                })
            text.gap()
            text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
                for choice in choices {
                    let value =
                        areOptional
                        ? "try? \(type(of: choice))(from: decoder)" : "try \(type(of: choice))(from: decoder)"
                    text.line(assignment(of: choice.name, to: value, isBoxed: isRecursive(choice.schema)))
                }
                guard areOptional else { return }
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
                for choice in choices { text.line("try \(choice.name)\(mark).encode(to: encoder)") }
            }
            declareWritingTogether(in: &text)
        }
    }

    private func isObject(_ schema: Schema) -> Bool {
        if case .object = schemas.resolved(schema).shape { true } else { false }
    }
}
