internal import JSONBytes

/// Text with which an upstream refuses a request. Only members that usually hold the upstream's own words are read,
/// because some servers repeat the request in the response.
struct UpstreamRefusal: Sendable {
    /// Request member that the upstream reports as the cause (`param`).
    private(set) var parameter: String?
    /// Text of the refusal, in lower case.
    private var text: [UInt8] = []

    /// Size limit of the text, in bytes.
    private static let longest = 4096
    private static let deepest = 8
    private static let spoken: [StaticString] = [
        "error", "errors", "message", "msg", "detail", "details", "code", "type", "param", "loc", "title", "reason",
        "error_description", "metadata", "raw",
    ]

    init(_ body: [UInt8]) {
        body.withUnsafeBytes { document in
            var cursor = JSONCursor(document)
            do throws(JSONError) {
                try read(&cursor, isSpoken: false, depth: 0)
            } catch {
                (parameter, text) = (nil, [])
                append(document.prefix(UpstreamRefusal.longest))
            }
        }
    }

    /// Reads one JSON value.
    ///
    /// - Parameter isSpoken: whether strings here are the upstream's own words.
    private mutating func read(_ cursor: inout JSONCursor, isSpoken: Bool, depth: Int) throws(JSONError) {
        switch try cursor.kind() {
        case .string where isSpoken:
            var words: [UInt8] = []
            cursor.appendDecoded(try cursor.string(), to: &words)
            append(words)
        case .object where depth < UpstreamRefusal.deepest:
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let isSpoken = UpstreamRefusal.spoken.contains { cursor.equals(key, $0) }
                if parameter == nil, cursor.equals(key, "param"), try cursor.kind() == .string {
                    var value = cursor
                    parameter = cursor.decoded(try value.string())
                }
                if isSpoken {
                    try read(&cursor, isSpoken: true, depth: depth + 1)
                } else {
                    try cursor.skipValue()
                }
            }
        case .array where depth < UpstreamRefusal.deepest:
            try cursor.beginArray()
            while try cursor.nextElement() { try read(&cursor, isSpoken: isSpoken, depth: depth + 1) }
        default: try cursor.skipValue()
        }
    }

    private mutating func append(_ words: some Collection<UInt8>) {
        guard text.count + 1 < UpstreamRefusal.longest else { return }
        text.append(0x0A)
        text.append(
            contentsOf: words.prefix(UpstreamRefusal.longest - text.count).lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        )
    }

    // MARK: Matching

    /// Returns whether the text contains a name as a whole word.
    func names(_ member: String) -> Bool {
        places(of: member).contains { place in
            !isWordByte(at: place - 1) && !isWordByte(at: place + member.utf8.count)
        }
    }

    /// Returns whether the text contains any of the words.
    ///
    /// - Parameter words: words in lower case.
    func hasAny(of words: [String]) -> Bool { words.contains { !places(of: $0).isEmpty } }

    /// Whether the refusal is about something that the upstream does not know or support.
    var isOfSomethingUnknown: Bool {
        hasAny(of: [
            "unsupported", "not support", "not currently support", "n't support", "not_support", "unrecognized",
            "unrecognised", "unknown",
            "unexpected", "not permitted", "forbidden", "not allowed", "only allowed", "may only be", "can only be",
            "only the default", "additional propert", "not recognized", "not implemented", "deprecated", "cannot both",
            "same time", "not accept", "no longer", "not available", "not one of", "not match any", "not found",
        ])
    }

    /// Whether the upstream refuses only the value and would accept another one.
    var isOfARange: Bool {
        hasAny(of: [
            "between", "less than", "greater than", "larger than", "smaller than", "maximum", "minimum", "range",
            "at most", "at least", "exceed", "too large", "too high", "too small", "too long", "too many", "out of",
            "above", "below", "<=", ">=",
        ])
    }

    /// Whether the refusal depends on the rest of the request: another request with the same member can be accepted.
    var isConditional: Bool {
        hasAny(of: [" when ", " if ", " unless ", " without ", "cannot both", "same time", "only allowed with"])
    }

    private func isWordByte(at index: Int) -> Bool {
        guard text.indices.contains(index) else { return false }
        let byte = text[index]
        return (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
    }

    private func places(of word: String) -> [Int] {
        let word = Array(word.utf8)
        guard let first = word.first, text.count >= word.count else { return [] }
        return (0...text.count - word.count).filter { text[$0] == first && text[$0...].starts(with: word) }
    }
}
