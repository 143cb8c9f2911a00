/// Chat completions and legacy completions in both forms.
enum ChatForms {
    private struct Choice {
        let index: Int
        /// The message; empty for legacy completions, whose content is in `rest`.
        var content = JSONObject()
        var rest = JSONObject()
        var finishReason: JSONValue = .null
    }

    // MARK: From a whole response to a stream

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
        guard var message = choice["message"]?.object, choice["delta"] == nil else { return nil }
        if let calls = message["tool_calls"]?.array {
            var numbered: [JSONValue] = []
            for (index, call) in calls.enumerated() {
                guard let call = call.object, Pieces.isNamed(call) else { return nil }
                let number = JSONObject.Member(name: "index", value: .integer(index))
                numbered.append(.object(JSONObject([number] + call.without("index").members)))
            }
            message["tool_calls"] = .array(numbered)
        }
        var delta: JSONObject = ["index": choice["index"] ?? 0, "delta": .object(message)]
        delta.members += choice.without("index", "message").members
        return delta
    }

    // MARK: From a stream to a whole response

    /// - Parameter isStrict: As in ``AnswerForms/document(of:in:isStrict:)``.
    static func document(of events: inout EventReader, isLegacy: Bool, isStrict: Bool) -> JSONObject? {
        var answer = JSONObject()
        var choices: [Int: Choice] = [:]
        var usage: JSONValue?
        let pieces = Pieces(isStrict: isStrict)
        while let event = events.next() {
            if let error = event["error"], !error.isNull { return nil }
            for member in event.members where !["choices", "usage", "obfuscation"].contains(member.name) {
                guard pieces.agree(on: member, in: &answer) else { return nil }
            }
            if let report = event["usage"] ?? event["x_groq"]?["usage"], report.object != nil { usage = report }
            for choice in event["choices"]?.array ?? [] {
                guard let choice = choice.object,
                    let index = choice["index"]?.integer ?? (isLegacy || !isStrict ? 0 : nil),
                    take(choice, into: &choices[index, default: Choice(index: index)], pieces, isLegacy: isLegacy)
                else { return nil }
            }
        }
        guard !choices.isEmpty, usage != nil || !isStrict else { return nil }
        var whole: [JSONValue] = []
        for choice in choices.values.sorted(by: { $0.index < $1.index }) {
            guard let document = document(of: choice, isLegacy: isLegacy, isStrict: isStrict) else { return nil }
            whole.append(.object(document))
        }
        if !isLegacy { answer["object"] = "chat.completion" }
        answer["choices"] = .array(whole)
        if let usage { answer["usage"] = usage }
        return answer
    }

    private static func take(
        _ event: JSONObject, into choice: inout Choice, _ pieces: Pieces, isLegacy: Bool
    ) -> Bool {
        if let reason = event["finish_reason"]?.string, !reason.isEmpty { choice.finishReason = .string(reason) }
        // A whole message next to pieces might or might not be their sum.
        guard !pieces.isStrict || event["message"] == nil else { return false }
        guard pieces.join(event.without("index", "delta", "message", "finish_reason"), to: &choice.rest) else {
            return false
        }
        if isLegacy { return true }
        guard let delta = (event.present("delta") ?? [:]).object else { return false }
        // Without deltas, a whole message replaces them.
        let piece = delta.members.isEmpty && choice.content.members.isEmpty ? event["message"]?.object : nil
        return pieces.join(piece ?? delta, to: &choice.content)
    }

    private static func document(of choice: Choice, isLegacy: Bool, isStrict: Bool) -> JSONObject? {
        var document: JSONObject = ["index": .integer(choice.index)]
        var message = choice.content
        let calls = message["tool_calls"]?.array ?? []
        if !isLegacy {
            if message["role"] == nil { message["role"] = "assistant" }
            if message["content"] == nil { message["content"] = .null }
            if message["tool_calls"]?.array != nil {
                guard !isStrict || calls.allSatisfy({ $0.object.map(Pieces.isNamed) ?? false }) else { return nil }
                message["tool_calls"] = .array(calls.map { .object(($0.object ?? [:]).without("index")) })
            }
            document["message"] = .object(message)
        }
        document.members += choice.rest.members
        document["finish_reason"] = choice.finishReason
        guard choice.finishReason.string == nil else { return document }
        // Text that ended without a reason is taken as complete; the arguments of a call might be cut off.
        let text = message["content"] ?? choice.rest["text"] ?? .null
        guard !isStrict, calls.isEmpty, text.string?.isEmpty == false || text.array?.isEmpty == false else {
            return nil
        }
        document["finish_reason"] = "stop"
        return document
    }
}
