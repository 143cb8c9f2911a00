/// Types of parameters, and words for the names of shared types.
extension TypeWriter {
    /// Returns the property that stands for a parameter.
    func field(_ parameter: Parameter) -> Field {
        let type = type(of: parameter)
        return Field(
            name: parameter.name, type: parameter.type.isList ? "[\(type)]" : type, isRequired: parameter.isRequired,
            description: parameter.description)
    }

    /// Returns the type of a parameter, or of one of its values.
    private func type(of parameter: Parameter) -> String {
        guard style.isLibrary else { return parameter.type.scalar.rawValue }
        return type(of: parameter.type.schema, payload: payload(parameter))
    }

    private func payload(_ parameter: Parameter) -> String { SwiftName.type(parameter.name) + "Payload" }

    /// Writes the declaration of what a parameter is, if it needs one.
    func declare(_ parameter: Parameter, in text: inout SourceText) {
        if style.isLibrary { declare(parameter.type.schema, as: payload(parameter), in: &text) }
    }

    /// Returns the word for a schema in the name of a type that holds it.
    func word(for schema: Schema) -> String {
        switch schema.shape {
        case .array(let items): word(for: items) + "List"
        case .map(let values): word(for: values) + "Map"
        case .reference(let name): SwiftName.type(name)
        default: type(of: schema, payload: "Payload")
        }
    }
}
