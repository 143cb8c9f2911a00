internal import HeadgateDialects
internal import JSONBytes

/// Output that a request states: tokens per completion and the number of completions.
struct StatedOutput: Sendable, Equatable {
    /// Largest stated limit of one completion, in tokens; nil if the request states none.
    var tokens: Int? { limit > 0 ? limit : nil }
    /// Completions that the upstream generates, including those that the client does not get.
    var answers: Int { Int(choices) * Int(prompts) }
    /// Largest stated limit, in tokens; 0 if there is none.
    private var limit = 0
    private var choices: UInt32 = 1
    private var prompts: UInt32 = 1

    /// Upper bound on the counted completions and prompts; no upstream accepts as many.
    private static let most = 1 << 16

    /// Records a stated limit. Ignores zero, which means no limit to some upstreams.
    mutating func note(tokens number: Int) {
        if number > limit { limit = min(number, TokenUsage.largestCount) }
    }

    mutating func note(answers number: Int) {
        choices = max(choices, UInt32(clamping: min(number, StatedOutput.most)))
    }

    /// Reads a member that only affects the amount of output. The upstream validates its value. If a member is
    /// repeated, the larger value counts.
    ///
    /// - Returns: false if it is another member, whose value is not read.
    @inline(__always)
    mutating func readMember(
        _ key: JSONString, _ cursor: inout JSONCursor, of shape: RequestShape
    ) throws(JSONError) -> Bool {
        if let name = shape.answerCount, cursor.equals(key, name) {
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

    /// Counts the prompts. A list of numbers is one prompt, given as tokens.
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
        prompts = max(prompts, UInt32(clamping: min(count, StatedOutput.most)))
    }

    private mutating func readOptions(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "num_predict") {
                // Values below 1 mean no limit.
                if let number = try cursor.integer() { note(tokens: number) }
            } else {
                try cursor.skipValue()
            }
        }
    }
}
