/// Writing of types for objects with properties.
extension TypeWriter {
    func declareObject(
        _ properties: [Property], _ others: Schema.Others, as name: String, _ position: SourcePosition,
        in text: inout SourceText
    ) {
        report(duplicatesIn: properties.map(\.name), position)
        let rest = style.isLibrary ? type(of: others) : nil
        text.type("\(text.style.type)struct \(name)", TypeWriter.conformances) { text in
            for property in properties { declare(property.schema, as: property.payload, in: &text) }
            if case .values(let values) = others { declare(values, as: TypeWriter.othersPayload, in: &text) }
            for property in properties {
                text.comment(property.schema.description)
                declareMember(
                    property.member, type(of: property), isBoxed: isRecursive(property.schema), in: &text)
            }
            let others = TypeWriter.nameOfOthers(beside: properties)
            if let rest {
                text.comment("Members that have no name in the document.")
                text.line("\(text.style.member)var \(others): \(rest)")
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init",
                properties.map { parameter($0) } + (rest.map { ["\(others): \($0) = .init()"] } ?? []),
                properties.map { property in
                    let member = property.member
                    return "self." + assignment(of: member, to: member, isBoxed: isRecursive(property.schema))
                } + (rest == nil ? [] : ["self.\(others) = \(others)"]))
            if !properties.isEmpty { text.gap() }
            declareCoding(properties, hasOthers: rest != nil, in: &text)
            if rest == nil { declareWriting(properties, in: &text) } else { declareWritingTogether(in: &text) }
        }
    }

    private static let othersPayload = "AdditionalPropertiesPayload"

    private static func nameOfOthers(beside properties: [Property]) -> String {
        let isTaken = properties.contains { $0.member == "additionalProperties" }
        return isTaken ? "otherAdditionalProperties" : "additionalProperties"
    }

    /// Returns the type of an object's members without a property; nil if there are none.
    private func type(of others: Schema.Others) -> String? {
        switch others {
        case .none: return nil
        case .any: return "OpenAPIObjectContainer"
        case .values(let values):
            let type = type(of: values, payload: TypeWriter.othersPayload)
            return "[String: \(type)\(isNullable(values) ? "?" : "")]"
        }
    }

    private func declareCoding(_ properties: [Property], hasOthers: Bool, in text: inout SourceText) {
        // An enumeration without cases cannot have raw values. Without properties, nothing is coded.
        guard !properties.isEmpty || hasOthers else { return }
        text.block("private \(text.style.extending)enum CodingKeys: String, CodingKey") { text in
            for property in properties {
                let value = property.member == property.name ? "" : " = \(SourceLiteral.quoted(property.name))"
                text.line("case \(property.member)\(value)")
            }
        }
        let isWrittenOut = hasOthers || properties.contains { isRecursive($0.schema) }
        if isWrittenOut { declareDecoding(properties, hasOthers: hasOthers, in: &text) }
        guard isWrittenOut || properties.contains(where: { $0.isRequired && isOptional($0) }) else { return }
        text.gap()
        // This is explicit, because the synthesized method omits a nil if the contract requires null, and writes null
        // for an empty box.
        text.block("\(text.style.member)func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for property in properties {
                let member = property.member
                let method = property.isRequired ? "encode" : "encodeIfPresent"
                text.line("try container.\(method)(\(TypeWriter.own(member)), forKey: .\(member))")
            }
            if hasOthers {
                let others = TypeWriter.nameOfOthers(beside: properties)
                text.line("try encoder.encode(additionalProperties: \(others))")
            }
        }
    }

    private func declareDecoding(_ properties: [Property], hasOthers: Bool, in text: inout SourceText) {
        text.gap()
        text.block("\(text.style.member)init(from decoder: any Decoder) throws") { text in
            text.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            for property in properties {
                let member = property.member
                let method = isOptional(property) ? "decodeIfPresent" : "decode"
                let type = type(of: property.schema, payload: property.payload)
                let value = "try container.\(method)(\(type).self, forKey: .\(member))"
                let isBoxed = isRecursive(property.schema)
                text.line(assignment(of: isBoxed ? member : TypeWriter.own(member), to: value, isBoxed: isBoxed))
            }
            if hasOthers {
                let others = TypeWriter.nameOfOthers(beside: properties)
                let names = properties.map { SourceLiteral.quoted($0.name) }
                text.list("\(others) = try decoder.additionalProperties(besides: ", names, end: ")")
            }
        }
    }
}
