/// Reads the items of a response's output, in pieces and whole, and knows what of them has been told.
struct ResponsesItemReader {
    /// A text of an item, by its place in it.
    enum TextKind: Hashable {
        case text(Int)
        case refusal(Int)
        case summary(Int)
        /// What a model thought in full, as open ones show it.
        case thought(Int)
        case arguments
    }

    private struct Item {
        /// Octets of each text that have been told.
        var told: [TextKind: Int] = [:]
        /// Of a call: counts the response's calls.
        var call: Int?
        /// Of reasoning: whether what has been told of it is a summary. The other form of it is the same once more.
        var isSummary: Bool?
        var isSealed = false
    }

    private var items: [String: Item] = [:]
    /// The reasoning that came last, as long as nothing else has come since.
    private var lastReasoning: (key: String, kind: TextKind)?
    private(set) var callCount = 0

    var isEmpty: Bool { items.isEmpty }

    static func key(_ index: Int) -> String { "\(index)" }

    /// Which item an event is about. Some providers change the id of an item on its way, but not its place.
    static func key(of event: JSONValue) -> String {
        event["output_index"]?.integer.map(key) ?? event["item_id"]?.string ?? event["item"]?["id"]?.string ?? ""
    }

    /// What text an event has: which, whether all of it, and in which member. Nil for other events.
    static func text(
        _ type: String, in event: JSONValue
    ) -> (kind: TextKind, isWhole: Bool, member: String)? {
        var part: Int { event["content_index"]?.integer ?? 0 }
        var summary: Int { event["summary_index"]?.integer ?? 0 }
        return switch type {
        case "response.output_text.delta": (.text(part), false, "delta")
        case "response.output_text.done": (.text(part), true, "text")
        case "response.refusal.delta": (.refusal(part), false, "delta")
        case "response.refusal.done": (.refusal(part), true, "refusal")
        case "response.reasoning_summary_text.delta": (.summary(summary), false, "delta")
        case "response.reasoning_summary_text.done": (.summary(summary), true, "text")
        case "response.reasoning_text.delta": (.thought(part), false, "delta")
        case "response.reasoning_text.done": (.thought(part), true, "text")
        case "response.function_call_arguments.delta": (.arguments, false, "delta")
        case "response.function_call_arguments.done": (.arguments, true, "arguments")
        case "response.custom_tool_call_input.delta": (.arguments, false, "delta")
        case "response.custom_tool_call_input.done": (.arguments, true, ResponsesItem.freeText)
        default: nil
        }
    }

    /// Reads an item that begins. Only of calls does that say anything.
    mutating func begin(_ item: JSONValue, _ key: String, into events: inout [ResponseEvent]) {
        let isCustom = item["type"] == "custom_tool_call"
        guard isCustom || item["type"] == "function_call", items[key]?.call == nil,
            let name = item["name"]?.string, !name.isEmpty
        else { return }
        let id = item["call_id"]?.string ?? item["id"]?.string ?? ""
        items[key, default: Item()].call = callCount
        lastReasoning = nil
        events.append(.toolCall(index: callCount, id: id, name: name, isCustom: isCustom))
        callCount += 1
    }

    /// Reads an item that has ended.
    mutating func readWhole(_ item: JSONValue, _ key: String, into events: inout [ResponseEvent]) {
        switch item["type"]?.string {
        case "message"?:
            for (index, part) in (item["content"]?.array ?? []).enumerated() {
                if let text = part["text"]?.string { emitRest(of: text, .text(index), key, into: &events) }
                if let text = part["refusal"]?.string { emitRest(of: text, .refusal(index), key, into: &events) }
            }
        case "function_call"?:
            begin(item, key, into: &events)
            if let text = item["arguments"]?.string { emitRest(of: text, .arguments, key, into: &events) }
        case "custom_tool_call"?:
            begin(item, key, into: &events)
            if let text = item[ResponsesItem.freeText]?.string {
                emitRest(of: text, .arguments, key, into: &events)
            }
        case "reasoning"?: readReasoning(item, key, into: &events)
        // What the provider's own tools do says nothing to clients of other formats.
        default: break
        }
    }

    private mutating func readReasoning(_ item: JSONValue, _ key: String, into events: inout [ResponseEvent]) {
        for (index, part) in (item["summary"]?.array ?? []).enumerated() {
            if let text = part["text"]?.string { emitRest(of: text, .summary(index), key, into: &events) }
        }
        for (index, part) in (item["content"]?.array ?? []).enumerated() {
            if let text = part["text"]?.string { emitRest(of: text, .thought(index), key, into: &events) }
        }
        guard let seal = ReasoningSeal(given: item["encrypted_content"]?.string, by: .responses),
            items[key]?.isSealed != true
        else { return }
        items[key, default: Item()].isSealed = true
        lastReasoning = nil
        events.append(.reasoningSeal(seal))
    }

    /// Tells what of a whole text has not been told.
    mutating func emitRest(
        of text: String, _ kind: TextKind, _ key: String, into events: inout [ResponseEvent]
    ) {
        let told = items[key]?.told[kind] ?? 0
        emit(told == 0 ? text : String(decoding: text.utf8.dropFirst(told), as: UTF8.self), kind, key, into: &events)
    }

    mutating func emit(_ piece: String, _ kind: TextKind, _ key: String, into events: inout [ResponseEvent]) {
        guard !piece.isEmpty else { return }
        switch kind {
        case .text: events.append(.text(piece))
        case .refusal: events.append(.refusal(piece))
        case .arguments:
            // Of a call whose beginning has not come the end of the item tells all.
            guard let call = items[key]?.call else { return }
            events.append(.toolArguments(index: call, piece))
        case .summary, .thought:
            let isSummary = if case .summary = kind { true } else { false }
            guard items[key]?.isSummary ?? isSummary == isSummary else { return }
            items[key, default: Item()].isSummary = isSummary
            let isSame = lastReasoning.map { $0.key == key && $0.kind == kind } ?? true
            events.append(.reasoning(isSame ? piece : ResponsesItem.paragraph + piece))
        }
        items[key, default: Item()].told[kind, default: 0] += piece.utf8.count
        switch kind {
        case .summary, .thought: lastReasoning = (key, kind)
        case .text, .refusal, .arguments: lastReasoning = nil
        }
    }
}
