/// Properties of a form part in the document that its schema does not contain.
struct PartNotes {
    /// Media type of the part; nil unless the document names exactly one.
    var contentType: String?
    var headers: [Header] = []
    /// Whether the part contains bytes and not text.
    var isFile = false
}

/// A multipart form with typed parts.
struct MultipartForm {
    struct Part {
        let name: String
        /// Name of the part's Swift case, and type of its payload.
        let member: String
        let payload: String
        /// Schema of the part's JSON; nil for bytes.
        let schema: Schema?
        /// Media type of the part; nil for plain text.
        let contentType: String?
        var headers: [Header] = []
        var isRequired = false
        var isRepeated = false
    }

    enum Others {
        case none
        /// Other parts are possible, because the document neither names nor forbids them.
        case undocumented
        /// The document allows other parts.
        case raw
        case typed(Part)
    }

    let parts: [Part]
    let others: Others

    /// Schemas of all parts with JSON.
    var schemas: [Schema] {
        let other: Schema? = if case .typed(let part) = others { part.schema } else { nil }
        return parts.compactMap(\.schema) + [other].compactMap { $0 }
    }
}
