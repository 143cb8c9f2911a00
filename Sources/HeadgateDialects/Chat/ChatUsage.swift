/// The `usage` of chat completions.
enum ChatUsage {
    /// - Returns: Nil if the value is not a usage object.
    static func read(_ value: JSONValue?) -> TokenUsage? {
        guard let usage = value?.object else { return nil }
        let input = usage["prompt_tokens_details"]
        return TokenUsage(
            input: usage["prompt_tokens"]?.tokenCount,
            // `prompt_cache_hit_tokens` is DeepSeek's name.
            cachedInput: input?["cached_tokens"]?.tokenCount ?? usage["prompt_cache_hit_tokens"]?.tokenCount,
            cacheWrites: input?["cache_write_tokens"]?.tokenCount,
            output: usage["completion_tokens"]?.tokenCount,
            reasoning: usage["completion_tokens_details"]?["reasoning_tokens"]?.tokenCount)
    }

    static func document(_ usage: TokenUsage) -> JSONValue {
        let input = usage.input ?? 0
        let output = usage.output ?? 0
        var read: JSONObject = ["cached_tokens": .integer(usage.cachedInput ?? 0)]
        if let writes = usage.cacheWrites { read["cache_write_tokens"] = .integer(writes) }
        return [
            "prompt_tokens": .integer(input), "completion_tokens": .integer(output),
            "total_tokens": .integer(input + output), "prompt_tokens_details": .object(read),
            "completion_tokens_details": ["reasoning_tokens": .integer(usage.reasoning ?? 0)],
        ]
    }
}
