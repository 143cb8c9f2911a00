internal import HeadgateDialects

/// Prompts that exceed the context of a model: recognizes upstreams' reports, and rewords them for clients.
enum ContextOverflow {
    /// Code that clients of OpenAI's APIs know.
    static let code = "context_length_exceeded"

    private static let codes: Set<String> = [
        code, "exceed_context_size_error", "model_max_prompt_tokens_exceeded", "context_window_exceeded",
        "contextwindowexceedederror", "prompt_too_long", "input_too_long", "context_too_long",
    ]

    /// Returns whether an error reports an overflow, by its code, its type or its message.
    ///
    /// - Parameter status: 200 for an error in a successful response. llama.cpp also reports an overflow with a 500.
    static func isReported(by report: ErrorReport, status: Int) -> Bool {
        guard [200, 400, 413, 422, 500].contains(status) else { return false }
        for name in [report.code, report.type] {
            if let name, codes.contains(name.lowercased()) { return true }
        }
        return isTold(by: report.message)
    }

    /// Phrases that only occur in reports of an overflow.
    private static let phrases = [
        "prompt is too long", "prompt too long", "input is too long", "input too long", "maximum context length",
        "maximum model length", "maximum prompt length", "model's context length", "context window exceeds",
        "exceeded model token limit", "prompt exceeds max length", "maximum number of tokens allowed",
        "range of input length", "reduce the length of the messages", "reduce the length of the prompt",
        "reduce the length of the input", "number of input tokens exceeds", "too many input tokens",
        "contextwindowexceedederror", "inputs` tokens + `max_new_tokens", "prompt and prediction) cannot exceed",
        "mid-generation context overflow", "`inputs` must have less than", "too many tokens",
    ]

    /// Names of quantities, which report an overflow only together with a word of excess.
    private static let subjects = [
        "context length", "context size", "context window", "context limit", "max context", "max_model_len",
        "max_seq_len", "max_input_len", "input length", "prompt length", "input token", "prompt token", "token count",
        "number of tokens", "length of the prompt", "context the overflows",
    ]

    private static let excesses = [
        "exceed", "longer than", "larger than", "greater than", "more than", "too long", "too large", "beyond",
        "not enough", "overflow",
    ]

    private static func isTold(by message: String) -> Bool {
        let text = message.prefix(longestMessage).lowercased()
        func has(_ words: [String]) -> Bool { words.contains { text.contains($0) } }
        // A limit of tokens per minute is not a limit of the context.
        if has(["per minute", "per day", "rate limit", "(tpm)"]) { return false }
        return has(phrases) || (has(subjects) && has(excesses))
    }

    private static let longestMessage = 2000
}

// MARK: Anthropic's wording

extension ContextOverflow {
    /// Returns the wording by which clients of Anthropic's API recognize that they must shorten the conversation,
    /// with the sizes if the message has them.
    static func messagesWording(of message: String) -> String {
        let text = message.lowercased()
        let isKnown = text.contains("prompt is too long")
        if text.contains("exceed context limit") || (isKnown && text.contains(" tokens > ")) { return message }
        guard let sizes = sizes(in: message) else { return isKnown ? message : "prompt is too long: \(message)" }
        return "prompt is too long: \(sizes.prompt) tokens > \(sizes.maximum) maximum. \(message)"
    }

    /// Returns the tokens of the prompt, or of everything that was requested, and the size of the context in tokens;
    /// nil unless the message has both.
    static func sizes(in message: String) -> (prompt: Int, maximum: Int)? {
        let text = Array(message.prefix(longestMessage).lowercased().utf8)
        var (maximum, largest): (Int?, Int) = (nil, 0)
        var (index, end) = (0, 0)
        while index < text.count {
            guard isDigit(text[index]) else {
                index += 1
                continue
            }
            let before = String(decoding: text[end..<index], as: UTF8.self)
            let number = number(in: text, at: &index)
            end = index
            guard let number else { continue }
            let after = String(decoding: text[index...].prefix(24), as: UTF8.self)
            if maximum == nil, isLimit(before: before, after: after) { maximum = number }
            largest = max(largest, number)
        }
        guard let maximum, maximum > 0, largest > maximum else { return nil }
        return (largest, maximum)
    }

    private static func isLimit(before: String, after: String) -> Bool {
        if after.hasPrefix(" maximum") || after.hasPrefix(" max ") { return true }
        let end = before.suffix(4)
        if end.contains(">") || end.contains("<") { return true }
        return !before.hasSuffix(" by ")
            && ["context", "maximum", "limit", "max ", "max_model", "max_seq", "max_input"].contains {
                before.contains($0)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Reads digits, possibly in groups of three; nil if the number is too large for tokens.
    private static func number(in text: [UInt8], at index: inout Int) -> Int? {
        var value = 0
        while index < text.count {
            if isDigit(text[index]) {
                value = min(value * 10 + Int(text[index] - 0x30), 1 << 40)
            } else if text[index] != UInt8(ascii: ",") || index + 1 == text.count || !isDigit(text[index + 1]) {
                break
            }
            index += 1
        }
        return value < 1 << 40 ? value : nil
    }
}

extension GatewayError {
    /// Returns an error with status 400, even if the upstream reported another status, because the caller can shorten
    /// the prompt.
    static func promptTooLong(tokens: Int? = nil, context: Int?) -> GatewayError {
        let size = context.map { ", which holds \($0) tokens, the answer included" } ?? ""
        let length = tokens.map { " (\($0) tokens)" } ?? ""
        return .invalidRequest(
            400,
            "The prompt\(length) is longer than the model's context\(size). Shorten it, or name a model with a larger "
                + "context.",
            code: ContextOverflow.code, cause: .contextOverflow)
    }
}
