internal import JSONBytes

/// What of a request to Ollama's API the gateway needs to know besides its model, and which has defaults of its own.
struct OllamaRequestScan: Sendable {
    /// Nil where the request does not say.
    private(set) var isStream: Bool?
    /// Whether there is nothing to answer: such a request is there to load or unload the model.
    private(set) var isEmpty = true
    /// Whether the model is to be unloaded.
    private(set) var unloads = false

    /// - Parameter document: a JSON object that has been read before.
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

    /// Whether it is an empty text or list, or null. The rest is for the reader of the request.
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

    /// `0`, or a time of nothing such as `"0s"`.
    private static func isZero(_ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        let kind = try cursor.kind()
        var text = cursor.bytes(in: try cursor.skipValue())[...]
        if case .string = kind { text = text.dropFirst().dropLast() }
        return text.first == UInt8(ascii: "0") && !text.contains { (0x31...0x39).contains($0) }
    }
}
