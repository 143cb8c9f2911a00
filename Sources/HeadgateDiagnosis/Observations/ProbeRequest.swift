internal import JSONBytes

/// A request to a model that shows how the response is transferred.
package struct ProbeRequest: Sendable {
    package enum Question: Sendable {
        /// Some lines with some multibyte characters, which produce enough events to measure the pacing.
        case lines
        /// A text that is long enough to be canceled in the middle.
        case story
    }

    package let dialect: StreamDialect
    package let model: String
    package let question: Question
    package let isStream: Bool
    /// Whether the limit is `max_completion_tokens`, the only one that newer models of OpenAI accept. Older servers
    /// accept only `max_tokens`.
    package var namesCompletionTokens = false

    package init(
        _ dialect: StreamDialect, model: String, question: Question = .lines, isStream: Bool,
        namesCompletionTokens: Bool = false
    ) {
        self.dialect = dialect
        self.model = model
        self.question = question
        self.isStream = isStream
        self.namesCompletionTokens = namesCompletionTokens
    }

    /// The path after the base URL, including `/v1`.
    package var path: String {
        switch dialect {
        case .chat: "/v1/chat/completions"
        case .messages: "/v1/messages"
        }
    }

    package var body: [UInt8] {
        var output = Array("{\"model\":".utf8)
        JSONEscaping.append(model, to: &output)
        output += ",\"stream\":\(isStream)".utf8
        if isStream, dialect == .chat { output += ",\"stream_options\":{\"include_usage\":true}".utf8 }
        let limit = namesCompletionTokens && dialect == .chat ? "max_completion_tokens" : "max_tokens"
        output += ",\"\(limit)\":\(question.tokens),\"messages\":[{\"role\":\"user\",\"content\":".utf8
        JSONEscaping.append(question.text, to: &output)
        output += "}]}".utf8
        return output
    }
}

extension ProbeRequest.Question {
    fileprivate var text: String {
        switch self {
        case .lines:
            "Write exactly this line, with its accents and signs: Grüße, 世界 🌍. Then write the numbers from 1 to 20 as "
                + "words."
        case .story: "Write a story of a thousand words about a gate at the head of a canal."
        }
    }

    fileprivate var tokens: Int {
        switch self {
        case .lines: 160
        case .story: 1000
        }
    }
}
