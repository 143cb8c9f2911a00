/// A property for a parameter or a header.
struct Field {
    let name: String
    /// Its name in Swift.
    let member: String
    let type: String
    let isRequired: Bool
    let description: String?

    /// The type with its optionality.
    var optionalType: String { isRequired ? type : type + "?" }
}

extension SourceText {
    /// Writes a struct of these properties, and its initialiser.
    ///
    /// - Parameters:
    ///   - declare: writes what their types need.
    ///   - code: writes how the struct becomes part of a message and comes from one.
    mutating func structure(
        _ name: String, of fields: [Field], declaring declare: (inout SourceText) -> Void = { _ in },
        coding code: (inout SourceText) -> Void = { _ in }
    ) {
        block("\(style.type)struct \(name): Hashable, Sendable") { text in
            declare(&text)
            for field in fields {
                text.comment(field.description)
                text.line("\(text.style.member)var \(field.member): \(field.optionalType)")
            }
            text.gap()
            text.declaration(
                "\(text.style.member)init",
                fields.map { "\($0.member): \($0.optionalType)\($0.isRequired ? "" : " = nil")" },
                fields.map { "self.\($0.member) = \($0.member)" })
            code(&text)
        }
        gap()
    }
}
