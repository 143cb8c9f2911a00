/// Multipart forms with typed parts.
extension BodyPlan {
    /// Returns the parts of a multipart form; nil for a form that is carried as bytes with its boundary.
    func form(_ content: Content) -> MultipartForm? {
        guard style.isLibrary, content.kind == .form else { return nil }
        switch content.schema.map({ schemas.resolved($0).shape }) {
        case nil, .any, .anyObject: return MultipartForm(parts: [], others: content.isClosed ? .none : .undocumented)
        case .map(let values): return MultipartForm(parts: [], others: others(values))
        case .object(let properties, let others):
            guard properties.allSatisfy({ BodyPlan.isPartName($0.name) }) else { return nil }
            let parts = parts(properties, content)
            switch others {
            case .none: return MultipartForm(parts: parts, others: content.isClosed ? .none : .undocumented)
            case .any: return MultipartForm(parts: parts, others: .raw)
            case .values(let schema): return MultipartForm(parts: parts, others: self.others(schema))
            }
        default: return nil
        }
    }

    /// Returns whether all parsers agree on the name of a part; Headgate's parser rejects any other name.
    private static func isPartName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"%\\".utf8.contains($0) }
    }

    private func parts(_ properties: [Property], _ content: Content) -> [MultipartForm.Part] {
        let names = properties.map(\.name)
        let members = style.names.members(names, besides: ["undocumented", "other", "rules"])
        let payloads = style.names.payloads(names)
        return properties.enumerated().map { index, property in
            let notes = content.parts[property.name] ?? PartNotes()
            let (element, isRepeated) = element(of: property.schema)
            let type = notes.contentType ?? contentType(of: element, isFile: notes.isFile)
            return MultipartForm.Part(
                name: property.name, member: members[index], payload: payloads[index],
                schema: type.map(Content.isJSON) == true ? element : nil, contentType: type, headers: notes.headers,
                isRequired: property.isRequired, isRepeated: isRepeated)
        }
    }

    private func others(_ values: Schema) -> MultipartForm.Others {
        let (element, _) = element(of: values)
        let type = contentType(of: element, isFile: false)
        return .typed(
            MultipartForm.Part(
                name: "", member: "other", payload: "AdditionalPropertiesPayload",
                schema: type == nil ? nil : element, contentType: type))
    }

    /// Returns the schema of one part. A list is one part per element, even if it is only one of the choices.
    private func element(of schema: Schema) -> (Schema, isRepeated: Bool) {
        let found = schemas.resolved(schema)
        switch found.shape {
        case .array(let items): return (items, true)
        case .oneOf(let choices, _), .anyOf(let choices):
            let lists = choices.filter { if case .array = schemas.resolved($0).shape { true } else { false } }
            guard !lists.isEmpty, choices.allSatisfy({ isText(element(of: $0).0) }) else { return (schema, false) }
            return (choices[0], true)
        default: return (schema, false)
        }
    }

    /// Returns the default media type of a part; nil for plain text.
    private func contentType(of schema: Schema, isFile: Bool) -> String? {
        if isFile { return "application/octet-stream" }
        return isText(schema) ? nil : "application/json"
    }

    private func isText(_ schema: Schema) -> Bool {
        switch schemas.resolved(schema).shape {
        case .scalar, .enumeration, .integers: true
        case .oneOf(let choices, _), .anyOf(let choices): choices.allSatisfy(isText)
        default: false
        }
    }
}
