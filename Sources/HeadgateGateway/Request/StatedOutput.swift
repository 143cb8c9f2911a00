internal import HeadgateDialects
internal import JSONBytes

/// What a request states about how much may be written for it.
struct StatedOutput: Sendable, Equatable {
    /// Tokens of one answer, the most of what is stated; nil for nothing.
    private(set) var tokens: Int?
    /// How many answers are made, whether the client gets them all or not.
    var answers: Int { max(choices, 1) * max(prompts, 1) }
    private var choices = 1
    private var prompts = 1

    /// Of answers, and of prompts: no upstream takes as many.
    private static let most = 1 << 16

    /// Zero is no limit for some upstreams.
    mutating func note(tokens number: Int) {
        if number > 0 { tokens = max(tokens ?? 0, min(number, TokenUsage.largestCount)) }
    }

    mutating func note(answers number: Int) { choices = max(choices, min(number, StatedOutput.most)) }

    /// Reads a member that only matters for the length. The upstream judges its value, and of one that stands there
    /// twice the larger counts.
    ///
    /// - Returns: false, and nothing read, for any other one.
    @inline(__always)
    mutating func readMember(
        _ key: JSONString, _ cursor: inout JSONCursor, of shape: RequestShape
    ) throws(JSONError) -> Bool {
        for name in shape.answerCounts where cursor.equals(key, name) {
            if let number = try cursor.integer() { note(answers: number) }
            return true
        }
        if shape.listsPrompts, cursor.equals(key, "prompt") {
            try readPrompts(&cursor)
        } else if shape.hasOptions, cursor.equals(key, "options") {
            try readOptions(&cursor)
        } else {
            return false
        }
        return true
    }

    /// A list of numbers is one prompt, in tokens.
    private mutating func readPrompts(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .array = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        var count = 0
        try cursor.beginArray()
        while try cursor.nextElement() {
            switch try cursor.kind() {
            case .string, .array: count += 1
            default: break
            }
            try cursor.skipValue()
        }
        prompts = max(prompts, min(count, StatedOutput.most))
    }

    private mutating func readOptions(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "num_predict") {
                // Below 1 there is no limit.
                if let number = try cursor.integer() { note(tokens: number) }
            } else {
                try cursor.skipValue()
            }
        }
    }
}
