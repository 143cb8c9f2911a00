internal import JSONBytes

/// One page of an upstream's response to `GET /models`, in OpenAI's or Anthropic's format.
struct ModelList: Equatable {
    /// Models with printable names; others are skipped.
    var models: [ListedModel] = []
    /// `after_id` of the next page; nil for the last page.
    var next: String?

    /// Maximum length of a name, in bytes.
    private static let longestName = 256
    /// Maximum length of the `after_id`, in bytes.
    private static let longestMark = 512

    /// Parses a response body.
    ///
    /// - Throws: ``JSONError`` if the body is not a list of objects that each have an `id`.
    init(_ body: UnsafeRawBufferPointer) throws(JSONError) {
        var cursor = JSONCursor(body, maximumDepth: 32)
        var (hasData, hasMore, lastID) = (false, false, String?.none)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "data") {
                hasData = true
                try readModels(&cursor)
            } else if cursor.equals(key, "has_more"), try cursor.kind() == .true {
                hasMore = try cursor.bool()
            } else if cursor.equals(key, "last_id"), try cursor.kind() == .string {
                lastID = cursor.decoded(try cursor.string())
            } else {
                try cursor.skipValue()
            }
        }
        let end = cursor.offset
        try cursor.finish()
        guard hasData else { throw JSONError(.unexpectedKind, at: end) }
        next = hasMore ? lastID.flatMap(ModelList.usable) : nil
    }

    /// Returns the mark if it is safe in the head of the next request; otherwise nil.
    private static func usable(_ mark: String) -> String? {
        (1...longestMark).contains(mark.utf8.count) && mark.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? mark : nil
    }

    private mutating func readModels(_ cursor: inout JSONCursor) throws(JSONError) {
        // Ollama sends null if it has no models.
        if try cursor.kind() == .null {
            try cursor.skipValue()
            return
        }
        try cursor.beginArray()
        while try cursor.nextElement() {
            var name: String?
            var facts = ModelFacts()
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "id") {
                    name = cursor.decoded(try cursor.string())
                } else {
                    try facts.read(key, of: &cursor)
                }
            }
            guard let name else { throw JSONError(.unexpectedKind, at: cursor.offset) }
            facts.bound()
            if ModelList.isPrintable(name) { models.append(ListedModel(name, facts)) }
        }
    }

    static func isPrintable(_ name: String) -> Bool {
        guard (1...longestName).contains(name.utf8.count), name.first != " ", name.last != " " else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator:
                return false
            default: return true
            }
        }
    }
}
