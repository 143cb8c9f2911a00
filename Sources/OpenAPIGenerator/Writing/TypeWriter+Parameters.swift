/// Writing of types for parameters, and words for the names of shared types.
extension TypeWriter {
    /// Returns the properties for a group of parameters.
    ///
    /// - Parameter taken: Names of other properties in the same struct.
    func fields(_ parameters: [Parameter], besides taken: Set<String> = []) -> [Field] {
        let texts = parameters.map(\.name)
        let members = style.names.members(texts, besides: taken)
        let payloads = style.names.payloads(texts)
        return parameters.enumerated().map { index, parameter in
            let type = type(of: parameter, payload: payloads[index])
            let isList = if case .list = parameter.type.form { true } else { false }
            return Field(
                name: parameter.name, member: members[index], type: isList ? "[\(type)]" : type,
                isRequired: parameter.isRequired, description: parameter.description)
        }
    }

    /// Returns the type of a parameter, or of one of its values.
    private func type(of parameter: Parameter, payload: String) -> String {
        if !style.isLibrary, case .scalar(let type) = parameter.type.form { return type.rawValue }
        return type(of: parameter.type.schema, payload: payload)
    }

    /// Writes the declarations of the types that parameters need.
    func declare(_ parameters: [Parameter], in text: inout SourceText) {
        guard style.isLibrary else { return }
        for (parameter, payload) in zip(parameters, style.names.payloads(parameters.map(\.name))) {
            declare(parameter.type.schema, as: payload, in: &text)
        }
    }

    /// Returns the word for a schema in the name of a shared type.
    func word(for schema: Schema) -> String {
        switch schema.shape {
        case .array(let items): word(for: items) + "List"
        case .map(let values): word(for: values) + "Map"
        case .reference(let name): schemas.type(name)
        default: type(of: schema, payload: "Payload")
        }
    }
}
