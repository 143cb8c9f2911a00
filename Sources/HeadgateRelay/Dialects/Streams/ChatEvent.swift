internal import HeadgateDialects
package import JSONBytes

/// Facts that the gateway reads in a chunk or whole response of a chat completion; the rest is relayed unchanged.
package struct ChatEvent {
    /// Literal of the model's name, with its quotes.
    var modelLiteral: Range<Int>?
    var hasChoices = false
    package var choiceCount = 0
    /// Bit i is set if the choice with index i has a finish reason here.
    var finishedChoices: UInt128 = 0
    var finishReason: JSONString?
    /// Last non-empty text of a delta.
    var text: JSONString?
    /// Bytes of the arrays and objects of a delta, such as tool calls, without the frame of each argument fragment.
    var callBytes = 0
    /// Whether a delta has fragments of tool calls.
    var hasCalls = false
    /// Whether a delta holds anything but a role and empty values, which counts as progress.
    var hasContent = false
    package private(set) var hasUsage = false
    /// Parts of the usage with separate prices.
    private var details = UsageDetails()
    /// Offset of the text of `service_tier`; negative if there is none. It takes only one word in each event.
    private var tierStart = -1
    var promptTokens: Int?
    var completionTokens: Int?
    /// Whether a top-level `error` is neither null, false nor empty.
    package var hasError = false

    /// Validates the whole document while reading it.
    package init(_ document: UnsafeRawBufferPointer) throws(JSONError) {
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "choices") {
                try readChoices(&cursor)
            } else if cursor.equals(key, "model") {
                if case .string = try cursor.kind() {
                    modelLiteral = try cursor.string().literal
                } else {
                    try cursor.skipValue()
                }
            } else if cursor.equals(key, "usage") {
                try readUsage(&cursor)
            } else if cursor.equals(key, "error") {
                try readError(&cursor)
            } else if cursor.equals(key, "service_tier"), try cursor.kind() == .string {
                tierStart = try cursor.string().contents.lowerBound
            } else {
                try cursor.skipValue()
            }
        }
        try cursor.finish()
    }

    package init(_ document: [UInt8]) throws(JSONError) {
        self = try document.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            try ChatEvent(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Returns the word for the log, and whether the reason is relayed unchanged.
    func finishReason(in document: UnsafeRawBufferPointer) -> (word: String, isPlain: Bool)? {
        finishReason.map { FinishReason.read(document[$0.contents]) }
    }

    /// Parts of the usage with separate prices, and the service tier that processed the request.
    func usageDetails(in document: UnsafeRawBufferPointer) -> UsageDetails {
        guard tierStart >= 0 else { return details }
        var details = details
        let rest = document[tierStart...]
        let end = rest.firstIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex
        details.note(tier: UnsafeRawBufferPointer(rebasing: rest[..<end]))
        return details
    }

    private mutating func readChoices(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .array = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        hasChoices = true
        try cursor.beginArray()
        while try cursor.nextElement() {
            choiceCount += 1
            guard case .object = try cursor.kind() else {
                try cursor.skipValue()
                continue
            }
            try readChoice(&cursor)
        }
    }

    private mutating func readChoice(_ cursor: inout JSONCursor) throws(JSONError) {
        var index = 0
        var isFinished = false
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "delta") {
                try readDelta(&cursor)
            } else if cursor.equals(key, "finish_reason") {
                if case .string = try cursor.kind() {
                    let reason = try cursor.string()
                    // Some servers write an empty reason into every chunk.
                    guard !reason.contents.isEmpty else { continue }
                    finishReason = reason
                    isFinished = true
                    hasContent = true
                } else {
                    try cursor.skipValue()
                }
            } else if cursor.equals(key, "index") {
                index = try cursor.integer() ?? 0
            } else if cursor.equals(key, "text"), case .string = try cursor.kind() {
                // The text of a legacy completion.
                try readText(&cursor)
            } else {
                try cursor.skipValue()
            }
        }
        if isFinished, (0..<128).contains(index) { finishedChoices |= 1 << UInt128(index) }
    }

    private mutating func readDelta(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            let isRole = cursor.equals(key, "role")
            switch try cursor.kind() {
            case .string:
                if isRole { _ = try cursor.string() } else { try readText(&cursor) }
            case .null: try cursor.skipValue()
            case .array, .object:
                if cursor.equals(key, "tool_calls") { hasCalls = true }
                try readPart(&cursor)
            case .number, .true, .false:
                try cursor.skipValue()
                hasContent = true
            }
        }
    }

    private mutating func readText(_ cursor: inout JSONCursor) throws(JSONError) {
        let string = try cursor.string()
        guard !string.contents.isEmpty else { return }
        text = string
        hasContent = true
    }

    private mutating func readPart(_ cursor: inout JSONCursor) throws(JSONError) {
        let start = cursor.offset
        guard try !ChatEvent.skipsEmptyContainer(&cursor) else { return }
        hasContent = true
        callBytes += max(1, cursor.offset - start - ChatEvent.callFrame)
    }

    private static let callFrame = #"[{"index":0,"function":{"arguments":""}}]"#.utf8.count

    private mutating func readUsage(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        hasUsage = true
        details = UsageDetails()
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "prompt_tokens") || cursor.equals(key, "input_tokens") {
                promptTokens = TokenUsage.count(try cursor.integer())
            } else if cursor.equals(key, "completion_tokens") || cursor.equals(key, "output_tokens") {
                completionTokens = TokenUsage.count(try cursor.integer())
            } else if cursor.equals(key, "total_tokens") {
                try cursor.skipValue()
            } else if try !details.readMember(key, &cursor) {
                try cursor.skipValue()
            }
        }
    }

    private mutating func readError(_ cursor: inout JSONCursor) throws(JSONError) {
        switch try cursor.kind() {
        case .object, .array: if try !ChatEvent.skipsEmptyContainer(&cursor) { hasError = true }
        case .string: if try !cursor.string().contents.isEmpty { hasError = true }
        case .number, .true:
            hasError = true
            try cursor.skipValue()
        case .false, .null: try cursor.skipValue()
        }
    }

    /// Skips an array or object, and returns whether it contains nothing but white space.
    private static func skipsEmptyContainer(_ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        let range = try cursor.skipValue()
        return cursor.bytes(in: range).dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
    }
}
