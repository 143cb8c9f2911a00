/// Notes of the document on a part of a form, besides its schema.
struct PartNotes {
    /// Its one media type, if the document names one.
    var contentType: String?
    var headers: [Header] = []
    /// Whether it is bytes, not text.
    var isFile = false
}

/// A multipart form whose parts have types.
struct MultipartForm {
    struct Part {
        let name: String
        /// Its case in Swift, and the type of its payload.
        let member: String
        let payload: String
        /// The schema of its JSON; nil for bytes.
        let schema: Schema?
        /// Nil for plain text.
        let contentType: String?
        var headers: [Header] = []
        var isRequired = false
        var isRepeated = false
    }

    enum Others {
        case none
        /// Parts that the document neither names nor forbids.
        case undocumented
        /// Parts that the document allows.
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
