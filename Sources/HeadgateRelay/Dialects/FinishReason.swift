internal import HeadgateDialects
internal import JSONBytes

/// Finish reason of a response for the log: one of the known values. Any other value could contain content, and is
/// logged as `other`.
enum FinishReason {
    private static let known: [StaticString] = [
        // OpenAI and compatible servers.
        "stop", "length", "tool_calls", "content_filter", "function_call", "eos", "eos_token", "stop_token", "abort",
        // Anthropic.
        "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded",
        "compaction",
        // Responses, by their status.
        "completed", "incomplete", "failed", "cancelled", "in_progress", "queued",
        // The response has failed: see ``ErrorReport/isFailure(reason:)``.
        "insufficient_system_resource", "error", "network_error",
    ]
    private static let words = known.map(\.description)
    private static let plain = known.count - 3
    private static let other = "other"

    static func word(_ text: some Collection<UInt8>) -> String { read(text).word }

    /// - Returns: the word for the log, and whether the reason is relayed unchanged without further checks.
    static func read(_ text: some Collection<UInt8>) -> (word: String, isPlain: Bool) {
        text.withContiguousStorageIfAvailable(read(in:)) ?? Array(text).withUnsafeBufferPointer(read(in:))
    }

    private static func read(in text: UnsafeBufferPointer<UInt8>) -> (word: String, isPlain: Bool) {
        for (index, word) in known.enumerated() where word.utf8CodeUnitCount == text.count {
            var same = 0
            while same < text.count, text[same] == word.utf8Start[same] { same += 1 }
            if same == text.count { return (words[index], index < plain) }
        }
        return (other, false)
    }

    private static let longest = 40

    /// Returns the edit that replaces a reason; nil if the reason can be relayed. A reason that is neither known nor a
    /// single word could be an echoed secret, or anything else.
    ///
    /// - Parameter usual: the reason that the client gets instead.
    static func edit(
        _ reason: JSONString, in document: UnsafeRawBufferPointer, _ errors: UpstreamErrorReading, usual: StaticString
    ) -> JSONEdit? {
        let text = document[reason.contents]
        guard word(text) == other else { return nil }
        let isWord = (1...longest).contains(text.count) && text.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F }
        if isWord {
            let word = String(decoding: text, as: UTF8.self)
            if errors.redacted(word) == word { return nil }
        }
        return JSONEdit(reason.literal, Array("\"\(usual)\"".utf8))
    }
}

/// Finish reasons of every choice in a chat completion, or in a chunk of one.
struct ChatFinishReasons {
    private var reasons: [JSONString] = []
    /// Whether one of the reasons reports that the response has failed.
    private(set) var hasFailed = false
    private let document: UnsafeRawBufferPointer

    /// - Parameter document: must outlive this value.
    init(_ document: UnsafeRawBufferPointer) throws(JSONError) {
        self.document = document
        var cursor = JSONCursor(document)
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, "choices"), case .array = try cursor.kind() else {
                try cursor.skipValue()
                continue
            }
            try cursor.beginArray()
            while try cursor.nextElement() { try readChoice(&cursor) }
        }
    }

    private mutating func readChoice(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, "finish_reason"), case .string = try cursor.kind() else {
                try cursor.skipValue()
                continue
            }
            let reason = try cursor.string()
            guard !reason.contents.isEmpty else { continue }
            reasons.append(reason)
            if ErrorReport.isFailure(reason: cursor.decoded(reason)) { hasFailed = true }
        }
    }

    func edits(_ errors: UpstreamErrorReading) -> [JSONEdit] {
        reasons.compactMap { FinishReason.edit($0, in: document, errors, usual: "stop") }
    }

    /// Edits that remove the reasons, so that the choices stay open.
    var withoutReasons: [JSONEdit] { reasons.map { JSONEdit($0.literal, Array("null".utf8)) } }
}
