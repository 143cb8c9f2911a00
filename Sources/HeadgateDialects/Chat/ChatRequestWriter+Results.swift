extension ChatRequestWriter {
    /// Writes one message for each result, directly after the message with the calls.
    mutating func writeResults(_ parts: [Part]) throws(TranslationError) {
        for part in parts {
            guard case .toolResult(let result) = part.content else { continue }
            if part.cacheMarker != nil { losses.drop(.cacheMarkers) }
            try write(result)
        }
    }

    private mutating func write(_ result: ToolResult) throws(TranslationError) {
        var texts: [Part] = []
        var others: [Part] = []
        for part in result.parts {
            switch part.content {
            case .text, .document(.text, _): texts.append(part)
            default: others.append(part)
            }
        }
        if result.isError { markAsError(&texts) }
        guard let call = unanswered.firstIndex(of: result.callID) else {
            // No call in the history has this id, and chat completions reject a result without a call.
            attachments.append(Part(.text("Result of the tool call \(result.callID):")))
            attachments += texts + others
            return
        }
        attachments += others
        unanswered.remove(at: call)
        messages.append([
            "role": "tool", "tool_call_id": .string(shortID(result.callID)), "content": try content(texts),
        ])
    }

    private func markAsError(_ texts: inout [Part]) {
        guard case .text(let first)? = texts.first?.content else {
            texts.insert(Part(.text("Error")), at: 0)
            return
        }
        if !first.hasPrefix("Error") { texts[0].content = .text("Error: \(first)") }
    }

    /// Completes the results of one round, because no other message may come between a call and its result.
    mutating func closeRound() throws(TranslationError) {
        for id in unanswered {
            messages.append([
                "role": "tool", "tool_call_id": .string(shortID(id)), "content": "No result was given.",
            ])
        }
        unanswered = []
        guard !attachments.isEmpty else { return }
        messages.append(["role": "user", "content": try content(attachments)])
        attachments = []
    }

    /// Maximum length of an id that OpenAI accepts, in bytes.
    private static let longestID = 40

    mutating func shortID(_ id: String) -> String {
        guard id.utf8.count > Self.longestID else { return id }
        if let known = shortIDs[id] { return known }
        let short = "call_headgate_\(shortIDs.count)"
        shortIDs[id] = short
        return short
    }
}
