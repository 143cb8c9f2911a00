extension ChatRequestWriter {
    /// Maximum number of stop sequences that OpenAI accepts.
    private static let mostStopSequences = 4

    mutating func writeLimits(_ request: ModelRequest) {
        if let maximum = request.maximumTokens {
            body[isOpenAI ? "max_completion_tokens" : "max_tokens"] = .integer(maximum)
        }
        guard !request.stopSequences.isEmpty else { return }
        body["stop"] = .array(request.stopSequences.prefix(Self.mostStopSequences).map(JSONValue.string))
        if request.stopSequences.count > Self.mostStopSequences { losses.drop(.stopSequences) }
    }

    mutating func writeFormat(_ format: ResponseFormat?) {
        switch format {
        case nil, .text: return
        case .json: body["response_format"] = ["type": "json_object"]
        case .schema(let document, let name, let description, let isStrict):
            var names = RestrictedNames(substitute: "response", maximumLength: Self.longestName)
            var schema: JSONObject = ["name": .string(names.next(for: name ?? ""))]
            schema["description"] = description.map(JSONValue.string)
            schema["schema"] = document
            schema["strict"] = isStrict.map(JSONValue.bool)
            body["response_format"] = ["type": "json_schema", "json_schema": .object(schema)]
        }
    }

    mutating func writeReasoning(_ wish: ReasoningWish?) {
        guard let wish else { return }
        if wish.isShown != nil, !wish.isShownIfPossible { losses.drop(.reasoningDisplay) }
        if wish.effort != nil, wish.budget != nil { losses.drop(.reasoningBudget) }
        guard let effort = wish.effort ?? wish.budget.map(ReasoningWish.Effort.init(budget:)) else { return }
        // Only OpenAI supports efforts above `high`.
        let isTooMuch = !isOpenAI && (effort == .xhigh || effort == .max)
        body["reasoning_effort"] = .string((isTooMuch ? .high : effort).rawValue)
    }

    mutating func writeSettings(_ settings: [Feature: JSONValue]) {
        for feature in Feature.allCases {
            guard let value = settings[feature] else { continue }
            switch feature {
            // A response in the neutral format has no place for log probabilities.
            case .logprobs, .topLogprobs: losses.drop(feature)
            case .store where value == false: continue
            case .serviceTier where value == "standard_only": body["service_tier"] = "default"
            default:
                guard feature.exists(in: .chat) else {
                    losses.drop(feature)
                    continue
                }
                body[feature.name(in: .chat)] = value
            }
        }
    }
}
