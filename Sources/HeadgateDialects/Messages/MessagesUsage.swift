/// Token counts of the format. `input_tokens` excludes tokens read from or written to a cache.
struct MessagesUsage {
    private var input: Int?
    private var cacheReads: Int?
    private var cacheWrites: Int?
    private var output: Int?
    private var thinking: Int?

    /// Updates the counts that a later report contains.
    mutating func update(with usage: JSONValue) {
        input = usage["input_tokens"]?.tokenCount ?? input
        cacheReads = usage["cache_read_input_tokens"]?.tokenCount ?? cacheReads
        cacheWrites = usage["cache_creation_input_tokens"]?.tokenCount ?? cacheWrites
        output = usage["output_tokens"]?.tokenCount ?? output
        thinking = usage["output_tokens_details"]?["thinking_tokens"]?.tokenCount ?? thinking
    }

    var tokens: TokenUsage {
        TokenUsage(
            input: input.map { $0 + (cacheReads ?? 0) + (cacheWrites ?? 0) }, cachedInput: cacheReads,
            cacheWrites: cacheWrites, output: output, reasoning: thinking)
    }

    /// Returns the `usage` of a response, which is complete even if nothing is known.
    static func written(_ usage: TokenUsage) -> JSONValue {
        let cached = usage.cachedInput ?? 0
        let writes = usage.cacheWrites ?? 0
        var value: JSONObject = [
            "input_tokens": .integer(max(0, (usage.input ?? 0) - cached - writes)),
            "cache_creation_input_tokens": .integer(writes), "cache_read_input_tokens": .integer(cached),
            "output_tokens": .integer(usage.output ?? 0),
        ]
        if let reasoning = usage.reasoning {
            value["output_tokens_details"] = ["thinking_tokens": .integer(reasoning)]
        }
        return .object(value)
    }
}
