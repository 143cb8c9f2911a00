internal import JSONBytes

/// One page of what an upstream answers to `GET /models`, in OpenAI's form or Anthropic's.
struct ModelList: Equatable {
    /// Without what nobody could read or type.
    var names: [String] = []
    /// After which name the next page begins; nil when this was the last one.
    var next: String?

    /// Octets of a name.
    private static let longestName = 256

    /// - Throws: ``JSONError`` for anything but a list of objects with an `id` each.
    init(_ body: UnsafeRawBufferPointer) throws(JSONError) {
        var cursor = JSONCursor(body, maximumDepth: 32)
        var (hasData, hasMore, lastID) = (false, false, String?.none)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "data") {
                hasData = true
                try readNames(&cursor)
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
        next = hasMore ? lastID : nil
    }

    private mutating func readNames(_ cursor: inout JSONCursor) throws(JSONError) {
        // Ollama's way to say that there are none.
        if try cursor.kind() == .null {
            try cursor.skipValue()
            return
        }
        try cursor.beginArray()
        while try cursor.nextElement() {
            var name: String?
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "id") {
                    name = cursor.decoded(try cursor.string())
                } else {
                    try cursor.skipValue()
                }
            }
            guard let name else { throw JSONError(.unexpectedKind, at: cursor.offset) }
            if ModelList.isPrintable(name) { names.append(name) }
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

    /// The same names in their order, but those last that by their words are for something else than talking: whoever has no choice
    /// takes the first.
    static func talkersFirst(_ names: [String]) -> [String] {
        let others = names.filter(isOfOtherUse)
        return others.isEmpty ? names : names.filter { !isOfOtherUse($0) } + others
    }

    private static let otherUses = [
        "embed", "whisper", "tts", "transcribe", "dall-e", "image", "moderation", "audio", "realtime", "sora", "rerank",
        "babbage", "davinci",
    ]

    private static func isOfOtherUse(_ name: String) -> Bool {
        let lower = name.lowercased()
        // OpenAI's continue a text; what others call so talks.
        if lower.hasPrefix("gpt-"), lower.contains("instruct") { return true }
        return otherUses.contains { lower.contains($0) }
    }
}
