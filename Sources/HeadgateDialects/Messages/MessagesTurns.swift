/// Turns in the order that the format requires. User and assistant alternate, and the user begins. The next turn starts
/// with the results of all calls, and no turn is empty.
struct MessagesTurns {
    enum Speaker: String { case user, assistant }

    /// Text of a turn or a result that would otherwise be empty.
    static let placeholder = "."

    private struct Turn {
        var speaker: Speaker
        /// Results of tools, which come before all other blocks.
        var results: [JSONValue] = []
        var blocks: [JSONValue] = []
    }

    private var turns: [Turn] = []
    /// Calls of the last assistant turn that have no result so far, with the client's ids and the written ones.
    private var openCalls: [(id: String, written: String)] = []
    /// Ids written so far. Clients can use an id again in a later turn, but the provider rejects that.
    private var callIDs = RestrictedNames(substitute: "call", maximumLength: 256)

    /// Begins a turn of a speaker. Content of the same speaker continues the turn.
    mutating func begin(_ speaker: Speaker) {
        guard turns.last?.speaker != speaker else { return }
        if speaker == .assistant {
            answerOpenCalls()
            if turns.isEmpty { turns.append(Turn(speaker: .user)) }
        }
        turns.append(Turn(speaker: speaker))
    }

    mutating func add(_ block: JSONValue, by speaker: Speaker) {
        begin(speaker)
        turns[turns.count - 1].blocks.append(block)
    }

    /// - Returns: The id to write.
    mutating func beginCall(_ id: String) -> String {
        let written = callIDs.next(for: id)
        openCalls.append((id, written))
        return written
    }

    /// - Returns: The id to write; nil if the turn before has no such call, or the call has a result already.
    mutating func answerCall(_ id: String) -> String? {
        guard let index = openCalls.firstIndex(where: { $0.id == id }) else { return nil }
        return openCalls.remove(at: index).written
    }

    mutating func add(result: JSONValue) {
        begin(.user)
        turns[turns.count - 1].results.append(result)
    }

    /// Whether the last assistant turn that calls tools begins without thinking.
    var lastCallsLackThinking: Bool {
        let last = turns.last { turn in
            turn.speaker == .assistant && turn.blocks.contains { $0["type"] == "tool_use" }
        }
        guard let first = last?.blocks.first else { return false }
        return !MessagesTurns.isThinking(first)
    }

    /// Returns the messages. No turn may be added afterwards.
    ///
    /// - Parameter endsWithUser: Whether the model rejects an assistant turn as the last one.
    mutating func written(endsWithUser: Bool, _ losses: inout Losses) -> [JSONValue] {
        if !openCalls.isEmpty { begin(.user) }
        answerOpenCalls()
        removeThinkingAtEnds(&losses)
        trimEnd()
        if turns.isEmpty { turns.append(Turn(speaker: .user)) }
        if endsWithUser, turns.last?.speaker == .assistant {
            // A client of another format expects a new turn of the model instead of an error.
            add(["type": "text", "text": "Continue."], by: .user)
        }
        return turns.map(MessagesTurns.value)
    }

    private static func value(of turn: Turn) -> JSONValue {
        var blocks = turn.results + turn.blocks
        if blocks.isEmpty { blocks = [["type": "text", "text": .string(placeholder)]] }
        return ["role": .string(turn.speaker.rawValue), "content": .array(blocks)]
    }

    private mutating func answerOpenCalls() {
        for call in openCalls {
            turns[turns.count - 1].results.append([
                "type": "tool_result", "tool_use_id": .string(call.written),
                "content": "No result of this call was given.", "is_error": true,
            ])
        }
        openCalls = []
    }

    /// Removes thinking at the end of turns, which the provider rejects.
    private mutating func removeThinkingAtEnds(_ losses: inout Losses) {
        for index in turns.indices {
            while let last = turns[index].blocks.last, MessagesTurns.isThinking(last) {
                turns[index].blocks.removeLast()
                losses.drop(.reasoningHistory)
            }
        }
    }

    /// Removes white space at the end of a turn that the model continues, because the provider rejects it. A turn
    /// without any text is removed.
    private mutating func trimEnd() {
        guard let turn = turns.last, turn.speaker == .assistant else { return }
        if var block = turn.blocks.last?.object, var text = block["text"]?.string {
            while text.last?.isWhitespace == true { text.removeLast() }
            block["text"] = .string(text)
            turns[turns.count - 1].blocks[turn.blocks.count - 1] = .object(block)
        }
        if turn.blocks.isEmpty { turns.removeLast() }
    }

    private static func isThinking(_ block: JSONValue) -> Bool {
        block["type"] == "thinking" || block["type"] == "redacted_thinking"
    }
}
