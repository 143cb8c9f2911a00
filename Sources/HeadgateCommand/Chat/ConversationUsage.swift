import HeadgateClient

/// Usage of a conversation so far.
struct ConversationUsage {
    private var last: ChatOutcome?
    private var count = 0
    private var tokens = TokenUsage(promptTokens: 0, completionTokens: 0)
    /// Number of replies whose tokens are unknown.
    private var uncounted = 0
    private var time = Duration.zero

    mutating func add(_ outcome: ChatOutcome) {
        last = outcome
        count += 1
        time += outcome.total
        if let usage = outcome.response.usage {
            // The sum saturates, whatever a server reports.
            tokens = tokens + TokenUsage(promptTokens: usage.promptTokens, completionTokens: usage.completionTokens)
        } else {
            uncounted += 1
        }
    }

    var lines: [String] {
        guard let last else { return ["Nothing was asked yet."] }
        var parts: [String] = []
        if let usage = last.response.usage {
            parts.append("\(usage.promptTokens) tokens in, \(usage.completionTokens) out")
        } else {
            parts.append("tokens unknown")
        }
        if let first = last.firstAfter { parts.append("the first after \(ConversationUsage.text(first)) s") }
        parts.append("\(ConversationUsage.text(last.total)) s in all")
        if let speed = last.speed { parts.append("\(ConversationUsage.text(speed)) tokens/s") }
        let missing = uncounted > 0 ? " (\(uncounted) not counted)" : ""
        return [
            "last answer:   \(parts.joined(separator: ", "))",
            "conversation:  \(count) \(count == 1 ? "answer" : "answers"), "
                + "\(tokens.promptTokens) tokens in, \(tokens.completionTokens) out\(missing), "
                + "\(ConversationUsage.text(time)) s in all",
        ]
    }

    private static func text(_ duration: Duration) -> String { text(duration.seconds) }

    /// Returns a number with two decimals.
    private static func text(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
