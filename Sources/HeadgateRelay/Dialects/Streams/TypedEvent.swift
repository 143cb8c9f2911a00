internal import HeadgateDialects
internal import JSONBytes

/// Facts that the gateway reads in an event, or a whole response, of the APIs whose documents have a `type`:
/// Anthropic's Messages, OpenAI's Responses. The rest is relayed unchanged.
struct TypedEvent {
    /// Contents of `type`.
    var type: JSONString?
    /// Literals, including quotes.
    var model: Range<Int>?
    var id: Range<Int>?
    /// `fallback_credit_token` of a refused message, a literal with its quotes.
    var creditToken: Range<Int>?
    var sequenceNumber: Int?
    /// Count as the API reports it: Anthropic's excludes tokens of its cache.
    var promptTokens: Int?
    var completionTokens: Int?
    var usage = UsageDetails()
    /// Bytes of the texts in `delta`.
    var textBytes = 0
    /// Whether ``promptTokens`` excludes the cache tokens of ``usage``.
    var countsCacheApart = false
    /// Reason for the response's end.
    var stopReason: JSONString?
    /// Status of a response of the Responses API.
    var status: JSONString?
    /// Whether a top-level `error` is an object or a text.
    var hasError = false
    /// Ranges of the non-empty values of `error`, at all places that are read.
    var errors: [Range<Int>] = []

    /// Validates the whole document while reading it.
    init(_ document: UnsafeRawBufferPointer) throws(JSONError) {
        var cursor = JSONCursor(document)
        try readObject(&cursor, depth: 0)
        try cursor.finish()
    }

    /// Depth at which ``readObject(_:depth:)`` reads the members of `delta`.
    private static let delta = 2

    /// Reads the members of interest, which are at the top, in `message` or `response`, and in `delta`.
    private mutating func readObject(_ cursor: inout JSONCursor, depth: Int) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if depth == 0, cursor.equals(key, "type") {
                type = try string(&cursor)
            } else if cursor.equals(key, "model") {
                model = try string(&cursor)?.literal
            } else if cursor.equals(key, "usage") {
                try readUsage(&cursor)
            } else if cursor.equals(key, "stop_reason") {
                stopReason = try string(&cursor)
            } else if cursor.equals(key, "status") {
                status = try string(&cursor)
            } else if depth == 0, cursor.equals(key, "sequence_number") {
                sequenceNumber = try number(&cursor)
            } else if cursor.equals(key, "id") {
                let literal = try string(&cursor)?.literal
                if id == nil { id = literal }
            } else if cursor.equals(key, "error") {
                try readError(&cursor, isTop: depth == 0)
            } else if depth == 0, cursor.equals(key, "delta") {
                switch try cursor.kind() {
                case .object: try readObject(&cursor, depth: TypedEvent.delta)
                case .string: textBytes += try cursor.string().contents.count
                default: try cursor.skipValue()
                }
            } else if depth == 0, cursor.equals(key, "response") || cursor.equals(key, "message") {
                if case .object = try cursor.kind() {
                    try readObject(&cursor, depth: 1)
                } else {
                    try cursor.skipValue()
                }
            } else if depth < TypedEvent.delta, cursor.equals(key, "service_tier"), try cursor.kind() == .string {
                usage.note(tier: cursor.bytes(in: try cursor.string().contents))
            } else if depth == TypedEvent.delta, try cursor.kind() == .string {
                let text = try cursor.string()
                if !cursor.equals(key, "type"), !cursor.equals(key, "signature") { textBytes += text.contents.count }
            } else if cursor.equals(key, "stop_details"), try cursor.kind() == .object {
                try readStopDetails(&cursor)
            } else {
                try cursor.skipValue()
            }
        }
    }

    private mutating func readStopDetails(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "fallback_credit_token") {
                creditToken = try string(&cursor)?.literal
            } else {
                try cursor.skipValue()
            }
        }
    }

    private mutating func readError(_ cursor: inout JSONCursor, isTop: Bool) throws(JSONError) {
        let kind = try cursor.kind()
        let range = try cursor.skipValue()
        switch kind {
        // An empty string is not an error.
        case .string where range.count == 2: return
        case .string, .object: if isTop { hasError = true }
        case .array: break
        default: return
        }
        errors.append(range)
    }

    private mutating func readUsage(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "input_tokens") {
                promptTokens = TokenUsage.count(try number(&cursor))
            } else if cursor.equals(key, "output_tokens") {
                completionTokens = TokenUsage.count(try number(&cursor))
            } else if try usage.readMember(key, &cursor) {
                if cursor.equals(key, "cache_read_input_tokens") || cursor.equals(key, "cache_creation_input_tokens") {
                    countsCacheApart = true
                }
            } else {
                try cursor.skipValue()
            }
        }
    }

    private func string(_ cursor: inout JSONCursor) throws(JSONError) -> JSONString? {
        if case .string = try cursor.kind() { return try cursor.string() }
        try cursor.skipValue()
        return nil
    }

    private func number(_ cursor: inout JSONCursor) throws(JSONError) -> Int? {
        if case .number = try cursor.kind() { return try cursor.integer() }
        try cursor.skipValue()
        return nil
    }
}
