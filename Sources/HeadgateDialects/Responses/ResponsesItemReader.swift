/// Reads the items of a response's output, whole or in pieces, and tracks the content that was reported.
struct ResponsesItemReader {
    /// Kind of a text in an item, with its index.
    enum TextKind: Hashable {
        case text(Int)
        case refusal(Int)
        case summary(Int)
        /// Full reasoning, as open models show it.
        case thought(Int)
        case arguments
    }

    private struct Item {
        /// Number of reported bytes of each text.
        var told: [TextKind: Int] = [:]
        /// Number of the call in the response.
        var call: Int?
        /// Whether the reported part of the reasoning is a summary. The other form repeats the same reasoning.
        var isSummary: Bool?
        var isSealed = false
    }

    private var items: [String: Item] = [:]
    /// The last reasoning; nil once other content has followed.
    private var lastReasoning: (key: String, kind: TextKind)?
    private(set) var callCount = 0

    var isEmpty: Bool { items.isEmpty }

    static func key(_ index: Int) -> String { "\(index)" }

    /// Returns the key of an event's item. Some providers change the id of an item during the stream, but not its
    /// index.
    static func key(of event: JSONValue) -> String {
        event["output_index"]?.integer.map(key) ?? event["item_id"]?.string ?? event["item"]?["id"]?.string ?? ""
    }

    /// Returns the kind of an event's text, whether it is complete, and its member; nil for events without text.
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

    /// Reads an item that begins. Only calls have content at this point.
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
        // Items of the provider's own tools mean nothing to clients of other formats.
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

    /// Reports the unreported rest of a whole text.
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
            // If the beginning of a call is missing, the whole call is reported at the end of its item.
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
