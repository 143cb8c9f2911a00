/// Conversations in the form of OpenTelemetry's conventions for generative AI: a JSON list of messages with roles and
/// parts.
package enum TelemetryMessages {
    /// Returns the messages of a request.
    ///
    /// - Parameters:
    ///   - body: Body of the request.
    ///   - limit: Maximum bytes of all texts; the rest is cut off.
    /// - Returns: Nil if the body is not a request of the format.
    package static func ofRequest(_ body: [UInt8], in format: WireFormat, limit: Int) -> String? {
        var losses = Losses(client: ClientFormat(format))
        guard let object = (try? JSONValue(body))?.object,
            let request = try? ClientFormat(format).requestReader.read(object, &losses)
        else { return nil }
        var budget = TextBudget(limit)
        let messages = request.messages.map { message in
            telemetry(message.role.rawValue, message.parts.compactMap { part($0.content, &budget) })
        }
        return text(messages)
    }

    /// Returns the messages of a whole response.
    package static func ofResponse(_ document: [UInt8], in format: WireFormat, limit: Int) -> String? {
        guard let object = (try? JSONValue(document))?.object,
            let response = try? format.responseReader.read(object)
        else { return nil }
        var budget = TextBudget(limit)
        return text([answer(response.contents.compactMap { part($0, &budget) }, response.end)])
    }

    /// Reads the events of a stream.
    package struct Stream {
        private var reader: any StreamReader
        private var contents: [Content] = []
        private var calls: [Int: Int] = [:]
        private var end: ResponseEnd?
        private var budget: TextBudget

        package init(of format: WireFormat, limit: Int) {
            reader = format.streamReader.init()
            budget = TextBudget(limit)
        }

        /// - Parameter document: Document of one event.
        package mutating func read(_ document: UnsafeRawBufferPointer) {
            guard let event = try? JSONValue(document) else { return }
            var events: [ResponseEvent] = []
            reader.read(event, into: &events)
            for event in events { note(event) }
        }

        private mutating func note(_ event: ResponseEvent) {
            switch event {
            case .text(let text):
                let text = budget.take(text)
                if case .text(let before)? = contents.last {
                    contents[contents.count - 1] = .text(before + text)
                } else {
                    contents.append(.text(text))
                }
            case .reasoning(let text):
                let text = budget.take(text)
                if case .reasoning(let before)? = contents.last {
                    contents[contents.count - 1] = .reasoning(Reasoning(before.text + text))
                } else {
                    contents.append(.reasoning(Reasoning(text)))
                }
            case .refusal(let text): contents.append(.refusal(budget.take(text)))
            case .toolCall(let index, let id, let name, let isCustom):
                calls[index] = contents.count
                contents.append(.toolCall(ToolCall(id: id, name: name, arguments: "", isCustom: isCustom)))
            case .toolArguments(let index, let text):
                guard let place = calls[index], case .toolCall(var call) = contents[place] else { return }
                call.arguments += budget.take(text)
                contents[place] = .toolCall(call)
            case .finished(let end): self.end = end
            case .started, .reasoningSeal, .toolMembers, .compaction, .usage, .ended, .failed: break
            }
        }

        /// The message so far; nil while it is empty.
        package var message: String? {
            guard !contents.isEmpty else { return nil }
            // The texts were cut as they arrived.
            var budget = TextBudget(.max)
            return TelemetryMessages.text([answer(contents.compactMap { part($0, &budget) }, end)])
        }
    }

    // MARK: JSON

    private static func telemetry(_ role: String, _ parts: [JSONValue]) -> JSONValue {
        ["role": .string(role == "developer" ? "system" : role), "parts": .array(parts)]
    }

    private static func answer(_ parts: [JSONValue], _ end: ResponseEnd?) -> JSONValue {
        guard var message = telemetry("assistant", parts).object else { return .null }
        message["finish_reason"] = .string(word(end))
        return .object(message)
    }

    private static func word(_ end: ResponseEnd?) -> String {
        switch end {
        case .stop, .stopSequence, .paused: "stop"
        case .length: "length"
        case .toolCalls: "tool_call"
        case .refused: "content_filter"
        case nil: "error"
        }
    }

    private static func part(_ content: Content, _ budget: inout TextBudget) -> JSONValue? {
        switch content {
        case .text(let text), .refusal(let text): ["type": "text", "content": .string(budget.take(text))]
        case .reasoning(let reasoning):
            reasoning.text.isEmpty ? nil : ["type": "reasoning", "content": .string(budget.take(reasoning.text))]
        case .toolCall(let call):
            [
                "type": "tool_call", "id": .string(call.id), "name": .string(call.name),
                "arguments": .string(budget.take(call.arguments)),
            ]
        case .toolResult(let result):
            [
                "type": "tool_call_response", "id": .string(result.callID),
                "response": .string(budget.take(result.parts.compactMap(text).joined(separator: "\n"))),
            ]
        // Image data is not text, and too large.
        case .image: ["type": "image"]
        case .document: ["type": "document"]
        }
    }

    private static func text(_ part: Part) -> String? { if case .text(let text) = part.content { text } else { nil } }

    private static func text(_ messages: [JSONValue]) -> String {
        String(decoding: JSONValue.array(messages).bytes, as: UTF8.self)
    }
}

/// Cuts texts to a total number of bytes.
private struct TextBudget {
    private var left: Int

    init(_ limit: Int) { left = limit }

    mutating func take(_ text: String) -> String {
        guard text.utf8.count > left else {
            left -= text.utf8.count
            return text
        }
        guard left > 0 else { return "" }
        var end = text.utf8.index(text.startIndex, offsetBy: left)
        // Do not cut inside a character.
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        left = 0
        return text[..<end] + "…"
    }
}
