internal import HeadgateRelay
internal import JSONBytes

/// Members of an Ollama request, besides its model, that the gateway reads. Ollama has its own defaults for them.
struct OllamaRequestScan: Sendable {
    /// Whether the response is a stream; nil if the request does not specify it.
    private(set) var isStream: Bool?
    /// Whether the request has no input. Clients send such a request to load or unload the model.
    private(set) var isEmpty = true
    /// Whether a request without input unloads the model.
    private(set) var unloads = false

    /// - Parameter document: a JSON object that was already validated.
    init(_ document: UnsafeRawBufferPointer, of question: OllamaQuestion) throws(JSONError) {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        while isEmpty || isStream == nil, let key = try cursor.nextKey() {
            if cursor.equals(key, "stream") {
                isStream = try OllamaRequestScan.bool(&cursor)
            } else if cursor.equals(key, question.member) {
                isEmpty = try OllamaRequestScan.isEmpty(&cursor)
            } else if cursor.equals(key, "keep_alive") {
                unloads = try OllamaRequestScan.isZero(&cursor)
            } else {
                try cursor.skipValue()
            }
        }
    }

    private static func bool(_ cursor: inout JSONCursor) throws(JSONError) -> Bool? {
        switch try cursor.kind() {
        case .true, .false: return try cursor.bool()
        default:
            try cursor.skipValue()
            return nil
        }
    }

    /// Returns whether the value is an empty string, an empty list or null. The request reader checks everything else.
    private static func isEmpty(_ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        switch try cursor.kind() {
        case .string: return try cursor.string().contents.isEmpty
        case .array:
            try cursor.beginArray()
            var isEmpty = true
            while try cursor.nextElement() {
                isEmpty = false
                try cursor.skipValue()
            }
            return isEmpty
        case .null:
            try cursor.skipValue()
            return true
        default:
            try cursor.skipValue()
            return false
        }
    }

    /// Returns whether the value is `0` or a zero duration such as `"0s"`.
    private static func isZero(_ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        let kind = try cursor.kind()
        var text = cursor.bytes(in: try cursor.skipValue())[...]
        if case .string = kind { text = text.dropFirst().dropLast() }
        return text.first == UInt8(ascii: "0") && !text.contains { (0x31...0x39).contains($0) }
    }
}
