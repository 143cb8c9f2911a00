/// Why a response ended, for the log: one of the known values. Any other could hold content, and is logged as `other`.
enum FinishReason {
    private static let known: [StaticString] = [
        // OpenAI and compatible servers.
        "stop", "length", "tool_calls", "content_filter", "function_call", "eos", "eos_token", "stop_token", "abort",
        "insufficient_system_resource", "error",
        // Anthropic.
        "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded",
        "compaction",
        // Responses, by their status.
        "completed", "incomplete", "failed", "cancelled", "in_progress", "queued",
    ]

    static func word(_ text: some Collection<UInt8>) -> String {
        text.withContiguousStorageIfAvailable(word(in:)) ?? Array(text).withUnsafeBufferPointer(word(in:))
    }

    private static func word(in text: UnsafeBufferPointer<UInt8>) -> String {
        for word in known where word.utf8CodeUnitCount == text.count {
            var same = 0
            while same < text.count, text[same] == word.utf8Start[same] { same += 1 }
            if same == text.count { return word.description }
        }
        return "other"
    }
}
