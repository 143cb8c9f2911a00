internal import HeadgatePrimitives

/// A request for a model's next turn, independent of the format.
package struct ModelRequest: Equatable, Sendable {
    package var model = ""
    package var isStream = false
    /// Whether a stream ends with its usage. Only chat completions make that optional; in other formats it is always
    /// true.
    package var asksUsage = true
    package var messages: [Message] = []
    package var tools: [Tool] = []
    package var toolChoice: ToolChoice?
    package var allowsParallelCalls: Bool?
    /// Maximum tokens of the response, including reasoning.
    package var maximumTokens: Int?
    package var stopSequences: [String] = []
    package var reasoning: ReasoningWish?
    package var format: ResponseFormat?
    /// Set if the conversation is to be compacted instead of continued.
    var compaction: CompactionWish?
    /// Settings with one value of the same meaning in every format, as the client wrote them; never null.
    package var settings: [Feature: JSONValue] = [:]

    package init() {}

    /// Checks that no two tools have the same name.
    ///
    /// - Parameter member: the member with the tools, for the error.
    func checkToolNames(_ member: String) throws(TranslationError) {
        guard Set(tools.map { ExactText($0.name) }).count < tools.count else { return }
        throw TranslationError(
            "Two of '\(member)' have the same name, which the upstream of this model refuses: give each its own.",
            member: member)
    }

    /// Checks that the tools that were read satisfy the tool choice.
    ///
    /// - Parameter member: the member with the choice, for the error.
    mutating func checkToolChoice(_ member: String) throws(TranslationError) {
        let isPossible =
            switch toolChoice {
            case .named(let name)?: tools.contains { $0.name == name }
            case .required?, .allowed(_, isRequired: true)?: !tools.isEmpty
            case nil, .auto?, ToolChoice.none?, .allowed(_, isRequired: false)?: true
            }
        guard isPossible else {
            throw TranslationError(
                "'\(member)' demands a call, and 'tools' has none that the upstream of this model can call.",
                member: member)
        }
        if tools.isEmpty { (toolChoice, allowsParallelCalls) = (nil, nil) }
    }

    /// Number of tool calls in the history.
    var callCount: Int {
        messages.reduce(0) { count, message in
            count + message.parts.count { if case .toolCall = $0.content { true } else { false } }
        }
    }
}

/// How much the client wants the model to reason.
package struct ReasoningWish: Equatable, Sendable {
    package enum Effort: String, CaseIterable, Sendable { case none, minimal, low, medium, high, xhigh, max }

    package var effort: Effort?
    /// Budget in tokens, if the client gives a number instead of an effort.
    package var budget: Int?
    /// Whether the response should show the reasoning, or a summary of it; nil for the model's default.
    package var isShown: Bool?
    /// Whether ``isShown`` is only a preference. The client accepts any result, so an upstream without support is no
    /// loss.
    package var isShownIfPossible = false

    package init(effort: Effort? = nil, budget: Int? = nil, isShown: Bool? = nil) {
        self.effort = effort
        self.budget = budget
        self.isShown = isShown
    }
}

/// Format of a response's text.
package enum ResponseFormat: Equatable, Sendable {
    case text
    /// Any JSON object.
    case json
    case schema(JSONValue, name: String?, description: String?, isStrict: Bool?)
}

/// A request for a compaction, independent of the format.
struct CompactionWish: Equatable, Sendable {
    /// Instructions that replace the gateway's own.
    var instructions: String?
    /// The error for models that cannot compact.
    var refusal: TranslationError
}
