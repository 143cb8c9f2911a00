extension SessionState {
    /// The response in progress.
    struct Turn: Sendable {
        let id: Int
        /// Index of the prompt in the transcript.
        let promptIndex: Int
        let output: UpdateQueue
        let reading: ResponseReading
        let task: Task<Void, Never>
        /// Format of this response only.
        var format: ResponseFormat?
        var round = 0
        /// Whether an earlier round had text.
        var hasSpoken = false
        /// Tokens used by earlier rounds.
        var earlierUsage: TokenUsage?
        /// Text of this round's message so far.
        var text = ""
        var reasoning = ""
        var refusal = ""
        var calls = ToolCallAssembly()
        var finishReason: FinishReason?
        /// Tokens used by this round: the last value, because some servers send it repeatedly.
        var usage: TokenUsage?

        var totalUsage: TokenUsage? {
            guard let earlierUsage, let usage else { return usage ?? earlierUsage }
            return earlierUsage + usage
        }

        var place: ResponseUpdate.Place {
            ResponseUpdate.Place(round: round, length: text.utf8.count, refusalLength: refusal.utf8.count)
        }

        /// Cuts the message of this round at the reader's position.
        mutating func cut(at place: ResponseUpdate.Place) {
            let isHere = place.round == round
            text = isHere ? String(decoding: text.utf8.prefix(place.length), as: UTF8.self) : ""
            refusal = isHere ? String(decoding: refusal.utf8.prefix(place.refusalLength), as: UTF8.self) : ""
        }

        /// Begins the next round.
        mutating func goOn() {
            round += 1
            hasSpoken = hasSpoken || !text.isEmpty
            earlierUsage = totalUsage
            (text, reasoning, refusal) = ("", "", "")
            (calls, finishReason, usage) = (ToolCallAssembly(), nil, nil)
        }

        /// Adds a piece to the response.
        ///
        /// - Returns: the addition for the reader.
        mutating func take(_ chunk: ChatCompletionChunk) -> ResponseUpdate {
            var update = ResponseUpdate()
            for choice in chunk.choices where choice.index == 0 {
                update.text += choice.delta.content ?? ""
                update.reasoning += choice.delta.reasoning ?? ""
                update.refusal += choice.delta.refusal ?? ""
                update.finishReason = choice.finishReason ?? update.finishReason
                for fragment in choice.delta.toolCalls { calls.add(fragment) }
            }
            let separates = hasSpoken && text.isEmpty && !update.text.isEmpty
            text += update.text
            reasoning += update.reasoning
            refusal += update.refusal
            finishReason = update.finishReason ?? finishReason
            if let usage = chunk.usage {
                self.usage = usage
                update.usage = totalUsage
            }
            update.place = place
            if separates { update.text = "\n\n" + update.text }
            return update
        }
    }
}
