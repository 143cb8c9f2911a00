/// A property for a parameter or a header.
struct Field {
    let name: String
    /// Swift name of the property.
    let member: String
    let type: String
    let isRequired: Bool
    let description: String?

    /// Type with its optionality.
    var optionalType: String { isRequired ? type : type + "?" }
}

extension SourceText {
    /// Writes a struct with these properties, and its initializer.
    ///
    /// - Parameters:
    ///   - accepted: Type of the media types that a request accepts, which are an additional property.
    ///   - declare: Writes types that the properties need.
    ///   - code: Writes the conversion of the struct to and from a message.
    mutating func structure(
        _ name: String, of fields: [Field], accepting accepted: String? = nil,
        declaring declare: (inout SourceText) -> Void = { _ in },
        coding code: (inout SourceText) -> Void = { _ in }
    ) {
        block("\(style.type)struct \(name): Hashable, Sendable") { text in
            declare(&text)
            for field in fields {
                text.comment(field.description)
                text.line("\(text.style.member)var \(field.member): \(field.optionalType)")
            }
            if let accepted { text.accepted(accepted) }
            text.gap()
            text.declaration(
                "\(text.style.member)init",
                fields.map { "\($0.member): \($0.optionalType)\($0.isRequired ? "" : " = nil")" }
                    + (accepted.map { ["accept: [AcceptHeaderContentType<\($0)>]? = nil"] } ?? []),
                fields.map { "self.\($0.member) = \($0.member)" }
                    + (accepted == nil ? [] : ["acceptedTypes = .init(accept)"]))
            code(&text)
        }
        gap()
    }

    private mutating func accepted(_ type: String) {
        line("private var acceptedTypes: AcceptedTypes<\(type)>")
        gap()
        comment("Media types of the response that the client accepts.")
        block("\(style.member)var accept: [AcceptHeaderContentType<\(type)>]") { text in
            text.line("get { acceptedTypes.values }")
            text.line("set { acceptedTypes = .init(newValue) }")
        }
    }
}
