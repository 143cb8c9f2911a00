/// How the model is asked to think.
enum MessagesThinking: Equatable {
    /// No thinking, or the model's default.
    case usual
    case budget(Int)
    case adaptive(effort: String?, display: String?)

    var isOn: Bool { self != .usual }
}

extension MessagesRequestDraft {
    /// Smallest budget that the provider accepts, in tokens.
    private static let leastBudget = 1024

    /// Returns how the model is asked to think. All turns must be known.
    mutating func thinking() -> MessagesThinking {
        guard let wish = request.reasoning else { return .usual }
        if wish.effort == ReasoningWish.Effort.none {
            if claude.alwaysThinks { losses.drop(.reasoningEffort) }
            return .usual
        }
        switch claude.thinking {
        case .none: break
        case .adaptive:
            let display = wish.isShown.map { $0 ? "summarized" : "omitted" }
            return .adaptive(effort: effort(of: wish), display: display)
        case .budget:
            guard !turns.lastCallsLackThinking, let budget = budget(of: wish) else { break }
            if wish.isShown == false { losses.drop(.reasoningDisplay) }
            return .budget(budget)
        }
        dropReasoning(wish)
        return .usual
    }

    /// Returns the client's limit, which covers thinking and text, or the default with room for the thinking.
    func maximumTokens(_ thinking: MessagesThinking) -> Int {
        if let maximum = request.maximumTokens { return maximum }
        guard case .budget(let tokens) = thinking else { return target.usualMaximumTokens }
        return target.usualMaximumTokens + tokens
    }

    /// Returns the budget in tokens; nil if the client's limit leaves no room for the smallest one.
    private func budget(of wish: ReasoningWish) -> Int? {
        let tokens = max(wish.budget ?? MessagesRequestDraft.budget(of: wish.effort), MessagesRequestDraft.leastBudget)
        guard let maximum = request.maximumTokens else { return tokens }
        guard maximum > MessagesRequestDraft.leastBudget else { return nil }
        return min(tokens, maximum - 1)
    }

    private static func budget(of effort: ReasoningWish.Effort?) -> Int {
        switch effort {
        case .none?, .minimal?, .low?: leastBudget
        case .medium?, nil: 2048
        case .high?: 4096
        case .xhigh?: 8192
        case .max?: 16384
        }
    }

    private func effort(of wish: ReasoningWish) -> String? {
        let effort =
            wish.effort
            ?? wish.budget.map { tokens in
                ReasoningWish.Effort.allCases.last { $0 != .none && MessagesRequestDraft.budget(of: $0) <= tokens }
                    ?? .low
            }
        switch effort {
        case .minimal?: return ReasoningWish.Effort.low.rawValue
        case .xhigh? where !claude.takesExtremeEffort: return ReasoningWish.Effort.high.rawValue
        default: return effort?.rawValue
        }
    }

    private mutating func dropReasoning(_ wish: ReasoningWish) {
        if wish.effort != nil { losses.drop(.reasoningEffort) }
        if wish.budget != nil { losses.drop(.reasoningBudget) }
        if wish.isShown != nil { losses.drop(.reasoningDisplay) }
        if wish == ReasoningWish() { losses.drop(.reasoningEffort) }
    }
}
