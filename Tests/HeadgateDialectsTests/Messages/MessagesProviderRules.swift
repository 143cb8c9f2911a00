@testable import HeadgateDialects

/// Rules for requests that the provider enforces.
enum MessagesProviderRules {
    static func violations(of body: JSONValue) -> [String] {
        turnViolations(body["messages"]?.array ?? []) + toolViolations(body) + thinkingViolations(body)
            + textViolations(body)
    }

    private static func turnViolations(_ turns: [JSONValue]) -> [String] {
        var found: [String] = []
        var callIDs: Set<String> = []
        var open: [String] = []
        if turns.isEmpty { found.append("no turns") }
        for (index, turn) in turns.enumerated() {
            let role = turn["role"]?.string
            let blocks = turn["content"]?.array ?? []
            if role != (index.isMultiple(of: 2) ? "user" : "assistant") {
                found.append("turn \(index) is out of order")
            }
            if blocks.isEmpty { found.append("turn \(index) is empty") }
            let answers = blocks.prefix { $0["type"] == "tool_result" }
            if answers.compactMap({ $0["tool_use_id"]?.string }).sorted() != open.sorted() {
                found.append("turn \(index) does not answer \(open)")
            }
            if blocks.dropFirst(answers.count).contains(where: { $0["type"] == "tool_result" }) {
                found.append("turn \(index) has a late result")
            }
            open = blocks.filter { $0["type"] == "tool_use" }.compactMap { $0["id"]?.string }
            for id in open where !callIDs.insert(id).inserted || !isRestricted(id, longest: 256) {
                found.append("the id '\(id)' is not allowed")
            }
            if role == "user", blocks.contains(where: isOfAssistant) { found.append("turn \(index) is the model's") }
            if let last = blocks.last, isThinking(last) { found.append("turn \(index) ends with thinking") }
        }
        if !open.isEmpty { found.append("calls at the end") }
        return found
    }

    private static func toolViolations(_ body: JSONValue) -> [String] {
        var found: [String] = []
        let names = (body["tools"]?.array ?? []).compactMap { $0["name"]?.string }
        if Set(names).count != names.count { found.append("tools of one name") }
        if !names.allSatisfy({ isRestricted($0, longest: 128) }) { found.append("names of tools") }
        if names.isEmpty, body["tool_choice"] != nil { found.append("a choice without tools") }
        if names.isEmpty, body.text.contains("\"tool_use\"") { found.append("calls without tools") }
        if let name = body["tool_choice"]?["name"]?.string, !names.contains(name) { found.append("an unknown choice") }
        if body["tools"]?.array?.allSatisfy({ $0["input_schema"]?["type"] == "object" }) == false {
            found.append("a tool without a schema")
        }
        return found
    }

    private static func thinkingViolations(_ body: JSONValue) -> [String] {
        var found: [String] = []
        let maximum = body["max_tokens"]?.integer ?? 0
        if maximum < 1 { found.append("no limit") }
        guard let thinking = body["thinking"] else { return found }
        if body["temperature"] != nil || body["top_k"] != nil { found.append("sampling with thinking") }
        if ["any", "tool"].contains(body["tool_choice"]?["type"]?.string) { found.append("a forced call") }
        if body["messages"]?.array?.last?["role"] == "assistant" { found.append("prefill with thinking") }
        if thinking["type"] == "enabled" {
            let budget = thinking["budget_tokens"]?.integer ?? 0
            if budget < 1024 || budget >= maximum { found.append("a budget of \(budget) of \(maximum)") }
        }
        return found
    }

    private static func textViolations(_ body: JSONValue) -> [String] {
        var found: [String] = []
        let blocks =
            (body["messages"]?.array ?? []).flatMap { $0["content"]?.array ?? [] } + (body["system"]?.array ?? [])
        if blocks.contains(where: { $0["text"]?.string?.isBlank == true }) { found.append("a blank text") }
        if blocks.contains(where: { $0["is_error"] == true && $0["content"] == nil }) { found.append("a mute error") }
        let last = body["messages"]?.array?.last
        if last?["role"] == "assistant", last?["content"]?.array?.last?["text"]?.string?.last?.isWhitespace == true {
            found.append("white space at the end")
        }
        if body["stop_sequences"]?.array?.contains(where: { $0.string?.isBlank != false }) == true {
            found.append("a blank stop sequence")
        }
        if body.text.matches(of: #/"cache_control"/#).count > 4 { found.append("too many cache markers") }
        return found
    }

    private static func isRestricted(_ name: String, longest: Int) -> Bool {
        name.wholeMatch(of: #/[a-zA-Z0-9_-]+/#) != nil && name.utf8.count <= longest
    }

    private static func isThinking(_ block: JSONValue) -> Bool {
        block["type"] == "thinking" || block["type"] == "redacted_thinking"
    }

    private static func isOfAssistant(_ block: JSONValue) -> Bool { isThinking(block) || block["type"] == "tool_use" }
}
