/// Chat completions, and legacy completions, in both forms.
enum ChatForms {
    private struct Choice {
        let index: Int
        /// The message, or of legacy completions what the choice itself has.
        var content = JSONObject()
        var rest = JSONObject()
        var finishReason: JSONValue = .null
    }

    // MARK: A stream of a whole answer

    static func stream(of answer: JSONObject, isLegacy: Bool) -> [UInt8]? {
        guard let choices = answer["choices"]?.array, !choices.isEmpty, let usage = answer["usage"],
            usage.object != nil, answer["error"] == nil
        else { return nil }
        var base = answer.without("choices", "usage")
        if !isLegacy { base["object"] = "chat.completion.chunk" }
        var output: [UInt8] = []
        func append(_ choices: [JSONValue], usage: JSONValue? = nil) {
            var chunk = base.with("choices", .array(choices))
            if let usage { chunk["usage"] = usage }
            EventLines.append(chunk, to: &output)
        }
        var ends: [JSONValue] = []
        for choice in choices {
            guard let choice = choice.object, let reason = choice["finish_reason"], reason.string != nil,
                let begin = isLegacy ? choice : delta(of: choice)
            else { return nil }
            append([.object(begin.with("finish_reason", .null))])
            var end: JSONObject = ["index": choice["index"] ?? 0]
            end[isLegacy ? "text" : "delta"] = isLegacy ? "" : [:]
            if choice["logprobs"] != nil { end["logprobs"] = .null }
            end["finish_reason"] = reason
            ends.append(.object(end))
        }
        for end in ends { append([end]) }
        append([], usage: usage)
        EventLines.appendDone(to: &output)
        return output
    }

    private static func delta(of choice: JSONObject) -> JSONObject? {
        guard var message = choice["message"]?.object else { return nil }
        if let calls = message["tool_calls"]?.array {
            var numbered: [JSONValue] = []
            for (index, call) in calls.enumerated() {
                guard let call = call.object else { return nil }
                numbered.append(.object(JSONObject([.init(name: "index", value: .integer(index))] + call.members)))
            }
            message["tool_calls"] = .array(numbered)
        }
        var delta: JSONObject = ["index": choice["index"] ?? 0, "delta": .object(message)]
        delta.members += choice.without("index", "message").members
        return delta
    }

    // MARK: A whole answer of a stream

    static func document(of events: [JSONObject], isLegacy: Bool) -> JSONObject? {
        var answer = JSONObject()
        var choices: [Int: Choice] = [:]
        var usage: JSONValue?
        for event in events {
            if let error = event["error"], !error.isNull { return nil }
            for member in event.members where !["choices", "usage", "obfuscation"].contains(member.name) {
                if !member.value.isNull || answer[member.name] == nil { answer[member.name] = member.value }
            }
            if let report = event["usage"], report.object != nil { usage = report }
            for choice in event["choices"]?.array ?? [] {
                guard let choice = choice.object, let index = choice["index"]?.integer ?? (isLegacy ? 0 : nil),
                    take(choice, into: &choices[index, default: Choice(index: index)], isLegacy: isLegacy)
                else { return nil }
            }
        }
        guard !choices.isEmpty, let usage else { return nil }
        var whole: [JSONValue] = []
        for choice in choices.values.sorted(by: { $0.index < $1.index }) {
            guard choice.finishReason.string != nil else { return nil }
            whole.append(.object(document(of: choice, isLegacy: isLegacy)))
        }
        if !isLegacy { answer["object"] = "chat.completion" }
        answer["choices"] = .array(whole)
        answer["usage"] = usage
        return answer
    }

    private static func take(_ event: JSONObject, into choice: inout Choice, isLegacy: Bool) -> Bool {
        if let reason = event["finish_reason"]?.string, !reason.isEmpty { choice.finishReason = .string(reason) }
        let rest = event.without("index", "delta", "finish_reason")
        guard Pieces.join(rest, to: &choice.rest) else { return false }
        guard !isLegacy, let delta = event["delta"], !delta.isNull else { return true }
        return delta.object.map { Pieces.join($0, to: &choice.content) } ?? false
    }

    private static func document(of choice: Choice, isLegacy: Bool) -> JSONObject {
        var document: JSONObject = ["index": .integer(choice.index)]
        if !isLegacy {
            var message = choice.content
            if message["role"] == nil { message["role"] = "assistant" }
            if message["content"] == nil { message["content"] = .null }
            if let calls = message["tool_calls"]?.array {
                message["tool_calls"] = .array(calls.map { $0.object.map { .object($0.without("index")) } ?? $0 })
            }
            document["message"] = .object(message)
        }
        document.members += choice.rest.members
        document["finish_reason"] = choice.finishReason
        return document
    }
}

/// Puts objects together that come in pieces.
enum Pieces {
    /// Members that come once, or the same again.
    private static let whole: Set = ["role", "type", "id", "index", "name", "signature", "format"]

    /// Texts and lists go on, objects are joined, elements with an `index` belong to the one that has it; of the rest
    /// the last counts.
    ///
    /// - Returns: whether it is clear what is meant.
    static func join(_ piece: JSONObject, to object: inout JSONObject) -> Bool {
        for member in piece.members {
            guard let known = object[member.name], !known.isNull else {
                object[member.name] = member.value
                continue
            }
            if member.value.isNull { continue }
            guard let joined = join(member.value, to: known, as: member.name) else { return false }
            object[member.name] = joined
        }
        return true
    }

    private static func join(_ piece: JSONValue, to value: JSONValue, as name: String) -> JSONValue? {
        switch (value, piece) {
        case (.string(let text), .string(let more)):
            if whole.contains(name) {
                if text == more || more.isEmpty { return value }
                return text.isEmpty ? piece : nil
            }
            return .string(text + more)
        case (.object(var object), .object(let more)): return join(more, to: &object) ? .object(object) : nil
        case (.array(var elements), .array(let more)):
            for element in more {
                guard let index = element["index"]?.integer,
                    let place = elements.firstIndex(where: { $0["index"]?.integer == index })
                else {
                    elements.append(element)
                    continue
                }
                guard let joined = join(element, to: elements[place], as: name) else { return nil }
                elements[place] = joined
            }
            return .array(elements)
        case (.number, .number), (.bool, .bool): return piece
        default: return nil
        }
    }
}
