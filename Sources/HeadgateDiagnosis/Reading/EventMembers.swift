internal import JSONBytes

/// The members of an event or a whole response that a diagnosis needs, for chat completions and Messages.
struct EventMembers: Equatable {
    /// The `type`, which only Messages have.
    var type: String?
    /// The message of an error.
    var error: String?
    var hasUsage = false
    var finishReason: String?
    /// Whether the event has text of the response or of the reasoning.
    var hasText = false
    /// Whether there is at least one choice, or blocks of content.
    var isCompletion = false

    /// Reads the members; returns nil unless the bytes are one JSON object.
    init?(_ bytes: [UInt8]) {
        let found = bytes.withUnsafeBytes { buffer -> EventMembers? in
            var cursor = JSONCursor(buffer)
            do {
                var members = EventMembers()
                try members.readRoot(&cursor)
                try cursor.finish()
                return members
            } catch {
                return nil
            }
        }
        guard let found else { return nil }
        self = found
    }

    private init() {}

    private mutating func readRoot(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            switch cursor.decoded(key) {
            case "type": type = try cursor.text()
            case "error": error = try cursor.errorText()
            case "usage": hasUsage = try cursor.skipKind() == .object
            case "choices": try readChoices(&cursor)
            case "delta": try readDelta(&cursor)
            case "content": if try cursor.skipKind() == .array { isCompletion = true }
            default: try cursor.skipValue()
            }
        }
    }

    private mutating func readChoices(_ cursor: inout JSONCursor) throws(JSONError) {
        guard try cursor.kind() == .array else {
            try cursor.skipValue()
            return
        }
        try cursor.beginArray()
        while try cursor.nextElement() {
            isCompletion = true
            guard try cursor.kind() == .object else {
                try cursor.skipValue()
                continue
            }
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                switch cursor.decoded(key) {
                case "delta": try readDelta(&cursor)
                case "finish_reason": finishReason = try cursor.text() ?? finishReason
                default: try cursor.skipValue()
                }
            }
        }
    }

    private mutating func readDelta(_ cursor: inout JSONCursor) throws(JSONError) {
        guard try cursor.kind() == .object else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            switch cursor.decoded(key) {
            case "content", "reasoning_content", "reasoning", "text", "thinking":
                if let text = try cursor.text(), !text.isEmpty { hasText = true }
            case "stop_reason": finishReason = try cursor.text() ?? finishReason
            default: try cursor.skipValue()
            }
        }
    }
}

extension JSONCursor {
    /// Reads a value of any kind, and returns it if it is a string; nil otherwise.
    mutating func text() throws(JSONError) -> String? {
        guard try kind() == .string else {
            try skipValue()
            return nil
        }
        return decoded(try string())
    }

    mutating func skipKind() throws(JSONError) -> JSONKind {
        let kind = try kind()
        try skipValue()
        return kind
    }

    /// Returns the message of an `error` member: `{"message", "type", "code"}`, or a plain text; nil for null.
    mutating func errorText() throws(JSONError) -> String? {
        switch try kind() {
        case .null:
            try skipValue()
            return nil
        case .string: return decoded(try string())
        case .object: break
        default:
            try skipValue()
            return "an error without a message"
        }
        var message: String?
        var word: String?
        try beginObject()
        while let key = try nextKey() {
            switch decoded(key) {
            case "message": message = try text()
            case "code", "type": word = try text() ?? word
            default: try skipValue()
            }
        }
        return message ?? word ?? "an error without a message"
    }
}
